import type { ComponentPropsWithRef, ReactNode } from 'react'
import { classes } from '#ui/theme/classes.ts'
import type { ControlProps } from './control-props.ts'

type Native = Pick<
  ComponentPropsWithRef<'input'>,
  'ref' | 'autoComplete' | 'inputMode' | 'maxLength' | 'spellCheck' | 'onKeyDown' | 'onFocus' | 'list'
>

export type TextInputProps = ControlProps &
  Native & {
    value: string
    onChange: (value: string) => void
    type?: 'text' | 'email' | 'tel' | 'url' | 'password' | 'search' | undefined
    prefix?: ReactNode
    suffix?: ReactNode
    /** Monospace: codes, hashes, addresses. */
    code?: boolean | undefined
  }

export function TextInput({
  value,
  onChange,
  type = 'text',
  status,
  prefix,
  suffix,
  code,
  disabled,
  ...native
}: TextInputProps) {
  return (
    <span
      className={classes('ui-input', status && `ui-input-${status}`, disabled && 'ui-input-disabled', code && 'ui-input-code')}
    >
      {prefix && <span className="ui-input-affix">{prefix}</span>}
      <input
        {...native}
        type={type}
        value={value}
        disabled={disabled}
        aria-invalid={native['aria-invalid'] ?? (status === 'error' || undefined)}
        onChange={(event) => onChange(event.target.value)}
      />
      {suffix && <span className="ui-input-affix">{suffix}</span>}
    </span>
  )
}
