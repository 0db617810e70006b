import { useConsole } from '#fields/definitions.tsx'
import type { InputKind, InputProps } from '#fields/field-kind.ts'
import { isoFromLocal, localFromIso } from '#schema/format/zone-time.ts'
import { DateInput } from '#ui/input/date/date-input.tsx'

function Day({ value, onChange, control }: InputProps<'date'>) {
  return <DateInput {...control} value={typeof value === 'string' ? value : ''} onChange={(text) => onChange(text || null)} />
}

/** Entered in the viewer's time zone, stored as an instant. Unreadable text goes to the validator. */
function Moment({ field, value, onChange, control }: InputProps<'dateTime'>) {
  const { zone: userZone } = useConsole()
  const zone = field.zone === 'utc' ? 'UTC' : userZone
  return (
    <DateInput
      {...control}
      withTime
      value={typeof value === 'string' ? localFromIso(value, zone) || value : ''}
      onChange={(text) => onChange(isoFromLocal(text, zone) ?? (text || null))}
    />
  )
}

export const timeInputs = {
  date: { Input: Day },
  dateTime: { Input: Moment },
} satisfies { date: InputKind<'date'>; dateTime: InputKind<'dateTime'> }
