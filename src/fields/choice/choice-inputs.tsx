import '#schema/later/action-forms.ts'
import { useLanguage, useSay } from '#fields/definitions.tsx'
import type { FieldIn, InputKind, InputProps, Row } from '#fields/field-kind.ts'
import { fieldText } from '#fields/field-text.ts'
import { choiceLabel, choicesOf, optionKeys } from '#schema/facts/choices.ts'
import { valueAt } from '#schema/rule.ts'
import { SelectInput, SwitchInput, TagsInput } from '#ui/antd/lazy-antd.ts'
import { useKnownValues } from './use-known-values.ts'

function Toggle({ value, onChange, control }: InputProps<'boolean'>) {
  const { status: _status, placeholder: _placeholder, name: _name, onBlur: _onBlur, readOnly: _readOnly, ...rest } = control
  return <SwitchInput {...rest} value={value === true} onChange={onChange} />
}

/** The states that a stored record can move to, and its current one. */
function reachable(field: FieldIn<'enum' | 'status'>, record: Row, path: string): string[] {
  const all = choicesOf(field)
  const stored = record.id === undefined ? undefined : valueAt(record, path)
  if (field.type !== 'status' || typeof stored !== 'string') return all
  const next = field.states[stored]?.next ?? []
  return all.filter((state) => state === stored || next.includes(state))
}

function Choice({ field, path, value, onChange, control, record }: InputProps<'enum' | 'status'>) {
  const sayLabel = useSay()
  const options = reachable(field, record, path).map((key) => ({ value: key, label: sayLabel(choiceLabel(field, key)) }))
  return (
    <SelectInput
      {...control}
      options={options}
      clearable={!field.required}
      value={typeof value === 'string' ? value : undefined}
      onChange={(next: string | undefined) => onChange(next ?? null)}
    />
  )
}

function Tags({ field, value, onChange, control }: InputProps<'tags'>) {
  const language = useLanguage()
  const offered = useKnownValues(field)
  const values = Array.isArray(value) ? value.map(String) : []
  if (!field.options) return <TagsInput {...control} offered={offered} value={values} onChange={onChange} />
  const options = optionKeys(field.options).map((key) => ({ value: key, label: fieldText(field, [key], { language }) }))
  return <SelectInput {...control} multiple options={options} value={values} onChange={(next: string[]) => onChange(next)} />
}

export const choiceInputs = {
  boolean: { Input: Toggle },
  enum: { Input: Choice },
  status: { Input: Choice },
  tags: { Input: Tags, wide: true },
} satisfies {
  boolean: InputKind<'boolean'>
  enum: InputKind<'enum'>
  status: InputKind<'status'>
  tags: InputKind<'tags'>
}
