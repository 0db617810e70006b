import { type ReactNode, useId } from 'react'
import { Icon } from '#ui/icon/icon.tsx'
import { classes } from '#ui/theme/classes.ts'
import { useUiWords } from '#ui/theme/ui-words.tsx'
import type { ControlProps } from './control-props.ts'

/** Props that a field passes to its control. */
export type FieldControl = Required<Pick<ControlProps, 'id'>> &
  Pick<ControlProps, 'aria-labelledby' | 'aria-describedby' | 'aria-invalid' | 'aria-required' | 'status'>

export type FormFieldProps = {
  label: ReactNode
  required?: boolean | undefined
  hint?: ReactNode
  error?: ReactNode
  warning?: ReactNode
  /** Beside the label: a lock, "changed", a link. */
  extra?: ReactNode
  /** Takes the whole row of the form grid. */
  wide?: boolean | undefined
  id?: string | undefined
  children: (control: FieldControl) => ReactNode
}

/** A label, its control, a hint and an error, linked for screen readers. */
export function FormField({ label, required, hint, error, warning, extra, wide, id, children }: FormFieldProps) {
  const words = useUiWords()
  const ownId = useId()
  const controlId = id ?? ownId
  const issue = error ?? warning
  const describedBy = classes(Boolean(issue) && `${controlId}-issue`, Boolean(hint) && `${controlId}-hint`)
  const control: FieldControl = {
    id: controlId,
    'aria-labelledby': `${controlId}-label`,
    'aria-describedby': describedBy || undefined,
    'aria-invalid': error ? true : undefined,
    'aria-required': required || undefined,
    status: statusOf(Boolean(error), Boolean(warning)),
  }
  return (
    <div className={classes('ui-field', wide && 'ui-field-wide')}>
      <div className="ui-field-head">
        <label htmlFor={controlId} id={`${controlId}-label`}>
          {label}
          {required && (
            <span className="ui-field-required" title={words.required} aria-hidden="true">
              *
            </span>
          )}
        </label>
        {extra}
      </div>
      {children(control)}
      {issue && (
        <p id={`${controlId}-issue`} className={error ? 'ui-field-error' : 'ui-field-warning'}>
          <Icon name="warning" sizePx={14} />
          {issue}
        </p>
      )}
      {hint && (
        <p id={`${controlId}-hint`} className="ui-field-hint">
          {hint}
        </p>
      )}
    </div>
  )
}

function statusOf(hasError: boolean, hasWarning: boolean): ControlProps['status'] {
  if (hasError) return 'error'
  return hasWarning ? 'warning' : undefined
}
