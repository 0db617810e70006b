import { useId } from 'react'
import { useConsole, useSay } from '#fields/definitions.tsx'
import type { InputKind, InputProps } from '#fields/field-kind.ts'
import { inputWords } from '#fields/input-words.ts'
import { isoFromLocal, localFromIso } from '#schema/format/zone-time.ts'
import { DateInput } from '#ui/input/date/date-input.tsx'
import { classes } from '#ui/theme/classes.ts'
import { zoneOf } from './time-zone.ts'

function Day({ value, onChange, control }: InputProps<'date'>) {
  return <DateInput {...control} value={typeof value === 'string' ? value : ''} onChange={(text) => onChange(text || null)} />
}

/** Entered in the zone in which it is shown, and stored as an instant. Unreadable text goes to the validator. */
function Moment({ field, value, onChange, control, record }: InputProps<'dateTime'>) {
  const sayLabel = useSay()
  const { zone: userZone } = useConsole()
  const zone = zoneOf(field, record, userZone)
  const zoneId = useId()
  const isOther = zone !== undefined && zone !== userZone
  return (
    <>
      <DateInput
        {...control}
        aria-describedby={classes(control['aria-describedby'], isOther && zoneId) || undefined}
        withTime
        value={typeof value === 'string' ? localFromIso(value, zone) || value : ''}
        onChange={(text) => onChange(isoFromLocal(text, zone) ?? (text || null))}
      />
      {isOther && (
        <span id={zoneId} className="ui-field-hint">
          {sayLabel(inputWords.zone, { zone })}
        </span>
      )}
    </>
  )
}

export const timeInputs = {
  date: { Input: Day },
  dateTime: { Input: Moment },
} satisfies { date: InputKind<'date'>; dateTime: InputKind<'dateTime'> }
