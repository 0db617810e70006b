/** How a control looks when its value is not right. */
export type ControlStatus = 'error' | 'warning'

/** What each input of the kit takes besides `value` and `onChange`; FormField hands it down. */
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
