import '@ant-design/v5-patch-for-react-19'
import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { type FormEvent, Fragment, type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from 'react'
import { Button } from '#ui/input/button.tsx'
import { overPopup } from '#ui/overlay/over-popup.ts'
import { useUiLocale } from '#ui/theme/ui-words.tsx'
import { AntdProvider } from './antd-provider.tsx'
import { given } from './defined-props.ts'

/** Days as `2026-05-31`; empty where an end is open. */
export type Period = { from: string; to: string }

/** Shortcuts: first and last day, relative to today. */
const shortcuts = {
  today: (today: dayjs.Dayjs) => [today, today],
  yesterday: (today: dayjs.Dayjs) => [today.subtract(1, 'day'), today.subtract(1, 'day')],
  week: (today: dayjs.Dayjs) => [today.subtract(6, 'day'), today],
  days30: (today: dayjs.Dayjs) => [today.subtract(29, 'day'), today],
  month: (today: dayjs.Dayjs) => [today.startOf('month'), today.endOf('month')],
} as const

export type PeriodWords = Record<keyof typeof shortcuts | 'from' | 'to' | 'notADate', string>

export type PeriodInputProps = {
  value: Period
  onChange: (value: Period) => void
  /** Today in the viewer's time zone. */
  today: string
  words: PeriodWords
}

const wire = 'YYYY-MM-DD'

/** `DD.MM.YYYY`, as the locale orders day, month and year. */
const formatOf = (locale: string): string =>
  new Intl.DateTimeFormat(locale, { year: 'numeric', month: '2-digit', day: '2-digit' })
    .formatToParts(0)
    .map(({ type, value }) => ({ day: 'DD', month: 'MM', year: 'YYYY' })[String(type)] ?? value)
    .join('')

/**
 * A date range: typed, picked in a calendar, or set by a shortcut. The calendar is for the mouse; keyboard users type or use a
 * shortcut.
 */
export function PeriodInput({ value, onChange, today, words }: PeriodInputProps) {
  const names = Object.keys(shortcuts) as (keyof typeof shortcuts)[]
  const box = useRef<HTMLDivElement>(null)
  // This component loads lazily, after the popover has set the initial focus.
  useEffect(() => box.current?.querySelector('button')?.focus(), [])
  // A shortcut resets the days: a wrong day that was typed goes, even where the shortcut names the day before it.
  const [round, setRound] = useState(0)
  const take = (name: keyof typeof shortcuts) => {
    const [from, to] = shortcuts[name](dayjs(today)).map((day) => day.format(wire))
    onChange({ from: from ?? '', to: to ?? '' })
    setRound(round + 1)
  }
  return (
    <AntdProvider>
      <div className="ui-period" ref={box}>
        <div className="ui-period-shortcuts">
          {names.map((name) => (
            <Button key={name} size="small" onClick={() => take(name)}>
              {words[name]}
            </Button>
          ))}
        </div>
        <Fragment key={round}>
          <Day label={words.from} words={words} day={value.from} onChange={(from) => onChange({ ...value, from })} />
          <Day label={words.to} words={words} day={value.to} min={value.from} onChange={(to) => onChange({ ...value, to })} />
        </Fragment>
      </div>
    </AntdProvider>
  )
}

type DayProps = { label: string; words: PeriodWords; day: string; min?: string; onChange: (day: string) => void }

function Day({ label, words, day, min, onChange }: DayProps) {
  const id = useId()
  const locale = useUiLocale()
  const [isOpen, setOpen] = useState(false)
  /** The day that stood when a wrong one was typed over it. */
  const [badOver, setBadOver] = useState<string>()
  const isBad = badOver === day
  const box = useRef<HTMLDivElement>(null)
  const formats = [formatOf(locale), wire, 'D.M.YYYY', 'D/M/YYYY']
  useEffect(() => box.current?.querySelector('input')?.setCustomValidity(isBad ? words.notADate : ''), [isBad, words.notADate])
  // antd reports a typed day on blur only. An invalid day stays visible and blocks the form.
  const handleInput = ({ target }: FormEvent) => {
    if (!(target instanceof HTMLInputElement)) return
    setOpen(false)
    const typed = dayjs(target.value, formats, true)
    const bad = target.value !== '' && !typed.isValid()
    setBadOver(bad ? day : undefined)
    if (!bad) onChange(target.value && typed.format(wire))
  }
  const handlePick = (picked: dayjs.Dayjs | null) => {
    setBadOver(undefined)
    onChange(picked ? picked.format(wire) : '')
  }
  // The calendar would cover the next control, so it opens on click and not on keyboard focus.
  const handleClick = ({ currentTarget, target }: MouseEvent) => {
    if (target instanceof Node && currentTarget.contains(target)) setOpen(true)
  }
  // Esc closes the calendar first, then the popover around it.
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isOpen) event.stopPropagation()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears of the input inside
    <div className="ui-period-day" onInput={handleInput} onKeyDown={handleKeyDown} onClick={handleClick} ref={box}>
      <label htmlFor={id}>{label}</label>
      <DatePicker
        {...given({ id, minDate: min ? dayjs(min) : undefined, status: isBad ? ('error' as const) : undefined })}
        className="ui-wide"
        classNames={{ popup: { root: overPopup } }}
        format={formats}
        placeholder={formats[0] ?? ''}
        preserveInvalidOnBlur
        value={day ? dayjs(day) : null}
        onChange={handlePick}
        open={isOpen}
        onOpenChange={(open) => open || setOpen(false)}
      />
    </div>
  )
}
