import type { MouseEvent, Ref } from 'react'
import { useSay } from '#fields/definitions.tsx'
import { inputId } from '#fields/field-input.tsx'
import { labelAt } from '#schema/facts/label-at.ts'
import type { Fields } from '#schema/field-types.ts'
import { Icon } from '#ui/icon/icon.tsx'
import type { FormFault } from './form-faults.ts'
import { formWords } from './form-words.ts'

export type FaultSummaryProps = { faults: readonly FormFault[]; fields: Fields; ref?: Ref<HTMLDivElement> }

/** Focuses the input at a path, or the nearest enclosing one. */
export function focusPath(path: string): boolean {
  const steps = path.split('.')
  for (let length = steps.length; length > 0; length -= 1) {
    const found = document.getElementById(inputId(steps.slice(0, length).join('.')))
    if (!found) continue
    found.focus()
    found.scrollIntoView?.({ block: 'center' })
    return true
  }
  return false
}

/** All faults that prevent saving, each with a link to its field. A fault without a field, such as a lost connection, is the title. */
export function FaultSummary({ faults, fields, ref }: FaultSummaryProps) {
  const sayLabel = useSay()
  if (faults.length === 0) return null
  const count = faults.filter(({ path }) => path !== '').length
  const title = (text: string) => (
    <p key={text} className="form-faults-title">
      <Icon name="warning" /> {text}
    </p>
  )
  const go = (path: string) => (event: MouseEvent) => {
    event.preventDefault()
    focusPath(path)
  }
  return (
    <div className="form-faults" role="alert" ref={ref} tabIndex={-1}>
      {count === 0
        ? [...new Set(faults.map(({ message }) => message))].map(title)
        : title(sayLabel(formWords.faultsTitle, { count }))}
      {count > 0 && (
        <ul>
          {faults.map(({ path, message }) => {
            const label = labelAt(fields, path)
            return (
              <li key={`${path} ${message}`}>
                {label ? (
                  <a href={`#${inputId(path)}`} onClick={go(path)}>
                    {sayLabel(label)}
                  </a>
                ) : (
                  path
                )}
                {path ? ': ' : ''}
                {message}
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
