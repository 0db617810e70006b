import dayjs from 'dayjs'
import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '#ui/input/button.tsx'
import { isDate } from '#ui/input/date/date-formats.ts'
import { DateInput } from '#ui/input/date/date-input.tsx'
import { AntdProvider } from './antd-provider.tsx'

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
  /** A shortcut is a whole range: it is taken at once. */
  onShortcut: (value: Period) => void
  /** Today in the viewer's time zone. */
  today: string
  words: PeriodWords
}

/**
 * A date range: typed, picked in a calendar, or set by a shortcut. The calendar is for the mouse; keyboard users type or use a
 * shortcut.
 */
export function PeriodInput({ value, onChange, onShortcut, today, words }: PeriodInputProps) {
  const names = Object.keys(shortcuts) as (keyof typeof shortcuts)[]
  const box = useRef<HTMLDivElement>(null)
  // This component loads lazily, after the popover has set the initial focus.
  useEffect(() => box.current?.querySelector('button')?.focus(), [])
  const take = (name: keyof typeof shortcuts) => {
    const [from, to] = shortcuts[name](dayjs(today)).map((day) => day.format('YYYY-MM-DD'))
    onShortcut({ from: from ?? '', to: to ?? '' })
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
        <Day label={words.from} words={words} day={value.from} onChange={(from) => onChange({ ...value, from })} />
        <Day label={words.to} words={words} day={value.to} min={value.from} onChange={(to) => onChange({ ...value, to })} />
      </div>
    </AntdProvider>
  )
}

type DayProps = { label: string; words: PeriodWords; day: string; min?: string; onChange: (day: string) => void }

function Day({ label, words, day, min, onChange }: DayProps) {
  const id = useId()
  /** A text that is no day, and the day that stood when it was typed. */
  const [bad, setBad] = useState<{ text: string; over: string }>()
  const isBad = bad?.over === day
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector('input')?.setCustomValidity(isBad ? words.notADate : ''), [isBad, words.notADate])
  // An invalid day stays visible and blocks the form.
  const handleChange = (next: string) => {
    const isDay = next === '' || isDate(next, 'day')
    setBad(isDay ? undefined : { text: next, over: day })
    if (isDay) onChange(next)
  }
  return (
    <div className="ui-period-day" ref={box}>
      <label htmlFor={id}>{label}</label>
      <DateInput
        id={id}
        min={min || undefined}
        status={isBad ? 'error' : undefined}
        value={isBad ? bad.text : day}
        onChange={handleChange}
      />
    </div>
  )
}
