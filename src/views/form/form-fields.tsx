import { memo } from 'react'
import { FieldInput } from '#fields/field-input.tsx'
import type { Row } from '#fields/field-kind.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { FormGrid } from '#ui/input/form-grid.tsx'
import { dependentsOf, withFilledOptions } from './filled-options.ts'
import type { Messages } from './form-faults.ts'
import type { FormState } from './use-form-state.ts'

export type FormFieldsProps = {
  fields: Fields
  names: readonly string[]
  state: Pick<FormState, 'form' | 'messages' | 'setValue' | 'markTouched'>
  /** The record as loaded. Keep it referentially stable. */
  record: Row
  disabled?: boolean | undefined
  columns?: 1 | 2
}

export function FormFields({ fields, names, state, record, disabled, columns = 2 }: FormFieldsProps) {
  const { form, messages, setValue, markTouched } = state
  const values = { ...record, ...form.values }
  return (
    <FormGrid columns={columns}>
      {names.map((name) => {
        const own = fields[name]
        if (!own) return null
        const { field, isClosed } = withFilledOptions(own, values, fields)
        const dependents = dependentsOf(fields, name).join()
        return (
          <OneField
            key={name}
            {...{ name, field, messages, record, setValue, markTouched, dependents }}
            disabled={disabled || isClosed}
            value={form.values[name]}
          />
        )
      })}
    </FormGrid>
  )
}

type OneFieldProps = Pick<FormState, 'setValue' | 'markTouched'> & {
  name: string
  field: Field
  value: unknown
  messages: Messages
  record: Row
  disabled: boolean | undefined
  /** Comma-separated names of the fields whose options depend on this one. A string keeps the memo stable. */
  dependents: string
}

const own = ({ name, messages }: OneFieldProps): string =>
  Object.entries(messages)
    .filter(([path]) => path === name || path.startsWith(`${name}.`))
    .flat()
    .join('\n')

const isSame = (before: OneFieldProps, after: OneFieldProps): boolean =>
  before.value === after.value &&
  before.field === after.field &&
  before.record === after.record &&
  before.disabled === after.disabled &&
  before.dependents === after.dependents &&
  before.setValue === after.setValue &&
  before.markTouched === after.markTouched &&
  own(before) === own(after)

/** Memo: re-renders only when its own value or message changes, since a keystroke affects one of dozens of inputs. */
const OneField = memo(function OneField(props: OneFieldProps) {
  const { name, field, value, messages, record, disabled, dependents, setValue, markTouched } = props
  const handleChange = (next: unknown) => {
    setValue(name, next)
    if (next === value) return
    for (const other of dependents.split(',').filter(Boolean)) setValue(other, null)
  }
  return (
    <FieldInput {...{ field, value, messages, record, disabled }} path={name} onChange={handleChange} onBlur={markTouched} />
  )
}, isSame)
