import { type RawBuilder, sql } from 'kysely'
import { isOpen, type WeekWindow } from '#resources/fleet/week-window.ts'
import { windowFields, windowLine } from '#resources/shared/week-window.ts'
import { formatMessage } from '#schema/format/message.ts'
import { runsText } from '#schema/format/runs.ts'
import { composed, intlOf, type Label, type Language, say } from '#schema/words.ts'

const latest = (boardId: RawBuilder<unknown>, value: RawBuilder<unknown>) =>
  sql`(select ${value} from "configuration" "c" where "c"."controlPcbId" = ${boardId} order by "c"."version" desc limit 1)`

/** Update window in a board's desired configuration. */
export const maintenanceWindow = (boardId: RawBuilder<unknown>) => latest(boardId, sql`"c"."desired"->'maintenanceWindow'`)

/** Time zone of a board: as configured, else that of its site. */
export const zoneOfBoard = (boardId: RawBuilder<unknown>, essId: RawBuilder<unknown>) =>
  sql<string>`coalesce(${latest(boardId, sql`"c"."desired"->>'timezone'`)},
    (select "e"."location"->>'timezone' from "ess" "e" where "e"."id" = ${essId}), 'UTC')`

/** Window of an update "t" that has not started, with its time zone. */
export const waitsForWindow = sql`case when "t"."status" in ('SCHEDULED', 'QUEUED') and jsonb_typeof("t"."window") = 'object'
  then "t"."window" || jsonb_build_object('timezone', ${zoneOfBoard(sql`"t"."controlPcbId"`, sql`"t"."essId"`)}) end`

/** True while the window is open. An unknown time zone counts as UTC. */
export function mayBegin(window: WeekWindow | undefined, now: Date, zone: string): boolean {
  if (!window) return true
  try {
    return isOpen(window, now, zone)
  } catch {
    return isOpen(window, now, 'UTC')
  }
}

const { options } = windowFields.days
const dayLabel = (day: string): Label => Object.entries(options).find(([key]) => key === day)?.[1] ?? [day, day]

/** A window as text: `Mon–Fri 01:00–05:00, Europe/Berlin`. */
export function windowLabel({ days, from, to }: WeekWindow, zone: string): Label {
  const text = (language: Language) =>
    formatMessage(
      `${windowLine}, {zone}`,
      { days: runsText(Object.keys(options), days, (day) => say(dayLabel(day), language)), from, to, zone },
      intlOf(language),
    )
  return composed(text)
}
