import { type KeyboardEvent, Suspense, useId, useState } from 'react'
import { Icon } from '#ui/icon/icon.tsx'
import type { ControlProps } from '#ui/input/control-props.ts'
import { lazyCode } from '#ui/layout/lazy-chunk.tsx'
import { classes } from '#ui/theme/classes.ts'
import { useUiLocale, useUiWords } from '#ui/theme/ui-words.tsx'
import { dateExample, isDate, movedDate, readDate, shownDate } from './date-formats.ts'

export type DateInputProps = ControlProps & {
  /** `2026-05-31`, with time `2026-05-31T14:05`; empty for no value. It has no time zone: the caller chooses one. */
  value: string
  /** A text that is no date comes as it is typed: the validator refuses it. */
  onChange: (value: string) => void
  withTime?: boolean | undefined
  /** The first day of the calendar that can be picked. */
  min?: string | undefined
}

const CalendarPopup = lazyCode(() =>
  import('#ui/antd/calendar-popup.tsx').then((module) => ({ default: module.CalendarPopup })),
)

const steps: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1 }

/**
 * A date in the order of the viewer's locale. It is typed, moved by days with the arrow keys, or picked in a calendar, which is for
 * the mouse and for touch.
 */
export function DateInput({ value, onChange, withTime, min, status, disabled, ...native }: DateInputProps) {
  const locale = useUiLocale()
  const words = useUiWords()
  const orderId = useId()
  const kind = withTime ? 'moment' : 'day'
  const [isOpen, setOpen] = useState(false)
  // The text stays as it is typed while it stands for the value: rewriting it would move the caret.
  const [typed, setTyped] = useState<{ text: string; value: string }>()
  const isLocked = Boolean(disabled || native.readOnly)
  const order = dateExample(kind, locale, words.dateLetters)
  const take = (text: string) => {
    const next = readDate(text, kind, locale) ?? text
    setOpen(false)
    setTyped({ text, value: next })
    onChange(next)
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    // Esc closes the calendar first, then the layer around it.
    if (event.key === 'Escape' && isOpen) {
      event.stopPropagation()
      setOpen(false)
    }
    const step = steps[event.key]
    if (!step || isLocked || !isDate(value, kind)) return
    event.preventDefault()
    onChange(movedDate(value, step, kind))
  }
  const handleBlur = () => {
    setTyped(undefined)
    native.onBlur?.()
  }
  return (
    <span className={classes('ui-input ui-date', status && `ui-input-${status}`, disabled && 'ui-input-disabled')}>
      <input
        {...native}
        type="text"
        autoComplete="off"
        spellCheck={false}
        placeholder={order}
        value={typed?.value === value ? typed.text : shownDate(value, kind, locale)}
        disabled={disabled}
        aria-invalid={native['aria-invalid'] ?? (status === 'error' || undefined)}
        aria-describedby={classes(native['aria-describedby'], orderId)}
        onChange={(event) => take(event.target.value)}
        onKeyDown={handleKeyDown}
        onClick={() => setOpen(!isLocked)}
        onBlur={handleBlur}
      />
      <span className="ui-input-affix" aria-hidden="true">
        <Icon name="calendar" />
      </span>
      <span className="ui-hidden" id={orderId}>
        {order}
      </span>
      {isOpen && (
        <Suspense fallback={null}>
          <CalendarPopup {...{ value, kind, min }} onPick={onChange} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </span>
  )
}
