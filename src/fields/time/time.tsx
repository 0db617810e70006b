import { useConsole } from '#fields/definitions.tsx'
import type { DisplayProps, FieldIn, FieldKind, Wording } from '#fields/field-kind.ts'
import { formatDay, formatMoment, formatRelative, formatUtc } from './time-format.ts'
import { zoneOf } from './time-zone.ts'
import { clampedNow, useNow } from './use-now.ts'

const styleOf = ({ seconds }: FieldIn<'dateTime'>) => (seconds ? 'medium' : 'short')

function Day({ value }: DisplayProps<'date'>) {
  const { language } = useConsole()
  return <time dateTime={String(value)}>{formatDay(String(value), language)}</time>
}

function Moment({ field, value, row }: DisplayProps<'dateTime'>) {
  const { language, zone } = useConsole()
  const text = String(value)
  const shown = formatMoment(text, language, zoneOf(field, row, zone), styleOf(field))
  if (field.relative) return <Ago text={text} whole={shown} />
  return (
    <time dateTime={text} title={formatUtc(text)}>
      {shown}
    </time>
  )
}

function Ago({ text, whole }: { text: string; whole: string }) {
  const { language } = useConsole()
  const nowMs = useNow()
  return (
    <time dateTime={text} title={`${whole} (${formatUtc(text)})`}>
      {formatRelative(text, language, clampedNow(Date.parse(text), nowMs))}
    </time>
  )
}

export const timeKinds = {
  date: {
    Display: Day,
    toText: (_field: FieldIn<'date'>, value: unknown, { language }: Wording) => formatDay(String(value), language),
  },
  dateTime: {
    Display: Moment,
    toText: (field: FieldIn<'dateTime'>, value: unknown, { language, zone }: Wording) =>
      formatMoment(String(value), language, field.zone === 'utc' ? 'UTC' : zone, styleOf(field)),
  },
} satisfies { date: FieldKind<'date'>; dateTime: FieldKind<'dateTime'> }
