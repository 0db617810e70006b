/** Visual state of an invalid control. */
export type ControlStatus = 'error' | 'warning'

/** Props of every input besides `value` and `onChange`; FormField passes them. */
export type ControlProps = {
  id?: string | undefined
  name?: string | undefined
  disabled?: boolean | undefined
  readOnly?: boolean | undefined
  status?: ControlStatus | undefined
  placeholder?: string | undefined
  autoFocus?: boolean | undefined
  onBlur?: (() => void) | undefined
  'aria-label'?: string | undefined
  'aria-labelledby'?: string | undefined
  'aria-describedby'?: string | undefined
  'aria-invalid'?: boolean | undefined
  'aria-required'?: boolean | undefined
}

export type Option = { value: string; label: string; disabled?: boolean | undefined }
