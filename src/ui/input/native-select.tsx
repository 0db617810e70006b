import { Icon } from '#ui/icon/icon.tsx'
import { classes } from '#ui/theme/classes.ts'
import type { ControlProps, Option } from './control-props.ts'

export type NativeSelectProps = Omit<ControlProps, 'readOnly'> & {
  value: string
  onChange: (value: string) => void
  options: readonly Option[]
  size?: 'small' | 'medium' | undefined
}

/** The browser's native select; `placeholder` adds an empty option. */
export function NativeSelect({ value, onChange, options, size, status, placeholder, disabled, ...native }: NativeSelectProps) {
  return (
    <span
      className={classes(
        'ui-input ui-select',
        size === 'small' && 'ui-input-small',
        status && `ui-input-${status}`,
        disabled && 'ui-input-disabled',
      )}
    >
      <select
        {...native}
        value={value}
        disabled={disabled}
        aria-invalid={native['aria-invalid'] ?? (status === 'error' || undefined)}
        onChange={(event) => onChange(event.target.value)}
      >
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" />
    </span>
  )
}
