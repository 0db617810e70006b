import { type ReactNode, useEffect, useRef } from 'react'
import type { ControlProps } from './control-props.ts'

export type CheckboxProps = Omit<ControlProps, 'placeholder' | 'readOnly'> & {
  checked: boolean
  onChange: (checked: boolean) => void
  /** Partly checked. */
  indeterminate?: boolean | undefined
  /** Visible label; without it `aria-label` is required. */
  children?: ReactNode
}

export function Checkbox({ checked, onChange, indeterminate = false, status, children, ...native }: CheckboxProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current) input.current.indeterminate = indeterminate
  }, [indeterminate])
  return (
    <label className={status ? `ui-check ui-check-${status}` : 'ui-check'}>
      <input {...native} ref={input} type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      {children !== undefined && <span>{children}</span>}
    </label>
  )
}
