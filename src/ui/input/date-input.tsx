import { classes } from '#ui/theme/classes.ts'
import type { ControlProps } from './control-props.ts'

export type DateInputProps = ControlProps & {
  /** `2026-05-31`, with time `2026-05-31T14:05`; empty for no value. It has no time zone: the caller chooses one. */
  value: string
  onChange: (value: string) => void
  withTime?: boolean | undefined
  /** Includes seconds. */
  withSeconds?: boolean | undefined
  min?: string | undefined
  max?: string | undefined
}

/** The browser's native date input, with its own keyboard and screen reader support and date order. */
export function DateInput({ value, onChange, withTime, withSeconds, status, disabled, ...native }: DateInputProps) {
  return (
    <span className={classes('ui-input ui-date', status && `ui-input-${status}`, disabled && 'ui-input-disabled')}>
      <input
        {...native}
        type={withTime ? 'datetime-local' : 'date'}
        step={withTime && withSeconds ? 1 : undefined}
        value={value}
        disabled={disabled}
        aria-invalid={native['aria-invalid'] ?? (status === 'error' || undefined)}
        onChange={(event) => onChange(event.target.value)}
      />
    </span>
  )
}
