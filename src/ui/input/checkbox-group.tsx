import { Checkbox } from './checkbox.tsx'
import type { Option } from './control-props.ts'

export type CheckboxGroupProps = {
  label: string
  options: readonly Option[]
  values: readonly string[]
  onChange: (values: string[]) => void
  disabled?: boolean | undefined
}

/** A multiple choice from a short list. The values keep the order of the options. */
export function CheckboxGroup({ label, options, values, onChange, disabled }: CheckboxGroupProps) {
  const toggle = (value: string, checked: boolean) =>
    onChange(options.map((option) => option.value).filter((each) => (each === value ? checked : values.includes(each))))
  return (
    <fieldset className="ui-check-group" disabled={disabled}>
      <legend className="ui-hidden">{label}</legend>
      {options.map((option) => (
        <Checkbox
          key={option.value}
          checked={values.includes(option.value)}
          disabled={option.disabled}
          onChange={(checked) => toggle(option.value, checked)}
        >
          {option.label}
        </Checkbox>
      ))}
    </fieldset>
  )
}
