import { useConsole, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { fieldText } from '#fields/field-text.ts'
import { formatMoment, formatRelative, knownZone } from '#fields/time/time-format.ts'
import { useNow } from '#fields/time/use-now.ts'
import { isOpen, nextOpening, readWindow, type WeekWindow } from '#resources/fleet/week-window.ts'
import type { AnyResource } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'
import { updateWords } from './update-words.ts'

/** Update window that a pending request waits for. */
export function UpdateWait({ resource, record }: { resource: AnyResource; record: Row }) {
  const { language } = useConsole()
  const { waitsFor } = resource.fields
  const window = readWindow(record.waitsFor)
  if (!waitsFor || !window) return null
  const zone = knownZone(String(valueAt(record.waitsFor, 'timezone') ?? '')) ?? 'UTC'
  const text = fieldText(waitsFor, record.waitsFor, { language })
  return <WaitText {...{ window, zone, text }} isScheduled={record.status === 'SCHEDULED'} />
}

type WaitTextProps = { window: WeekWindow; zone: string; text: string; isScheduled: boolean }

function WaitText({ window, zone, text, isScheduled }: WaitTextProps) {
  const sayLabel = useSay()
  const { language, zone: own } = useConsole()
  const now = useNow()
  const isNow = isOpen(window, new Date(now), zone)
  // The start time comes first; whether the window is open then is unknown.
  const words = isScheduled ? updateWords.within : isNow ? updateWords.open : updateWords.waits
  const next = isScheduled || isNow ? undefined : nextOpening(window, new Date(now), zone)?.toISOString()
  return (
    <p className="update-wait">
      {sayLabel(words, { window: text })}
      {next &&
        ` ${sayLabel(updateWords.opens, { time: formatMoment(next, language, own), left: formatRelative(next, language, now) })}`}
    </p>
  )
}
