import { memo } from 'react'
import { FieldInput } from '#fields/field-input.tsx'
import type { Row } from '#fields/field-kind.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { FormGrid } from '#ui/input/form-grid.tsx'
import { withFilledOptions } from './filled-options.ts'
import type { Messages } from './form-faults.ts'
import type { FormState } from './use-form-state.ts'

export type FormFieldsProps = {
  fields: Fields
  names: readonly string[]
  state: Pick<FormState, 'form' | 'messages' | 'setValue' | 'touch'>
  /** The record that the form began with. Keep it stable. */
  record: Row
  disabled?: boolean | undefined
  columns?: 1 | 2
}

/** The inputs of some fields. */
export function FormFields({ fields, names, state, record, disabled, columns = 2 }: FormFieldsProps) {
  const { form, messages, setValue, touch } = state
  return (
    <FormGrid columns={columns}>
      {names.map((name) => {
        const own = fields[name]
        if (!own) return null
        const field = withFilledOptions(own, form.values)
        return (
          <OneField key={name} {...{ name, field, messages, record, disabled, setValue, touch }} value={form.values[name]} />
        )
      })}
    </FormGrid>
  )
}

type OneFieldProps = Pick<FormState, 'setValue' | 'touch'> & {
  name: string
  field: Field
  value: unknown
  messages: Messages
  record: Row
  disabled: boolean | undefined
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
  before.setValue === after.setValue &&
  before.touch === after.touch &&
  own(before) === own(after)

/** Drawn again only when its own value or message changes: a form has dozens of inputs, and one is typed into. */
const OneField = memo(function OneField({ name, field, value, messages, record, disabled, setValue, touch }: OneFieldProps) {
  return (
    <FieldInput
      {...{ field, value, messages, record, disabled }}
      path={name}
      onChange={(next) => setValue(name, next)}
      onBlur={touch}
    />
  )
}, isSame)
