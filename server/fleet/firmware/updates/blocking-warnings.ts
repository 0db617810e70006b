import { type RawBuilder, sql } from 'kysely'
import { warnings } from '#resources/fleet/warnings/warnings.ts'

type Update = 'CURED' | 'CURABLE' | 'OWN_BOARD' | 'FOREIGN'
const codesWith = (update: Update) =>
  sql.val(Object.entries(warnings).flatMap(([code, row]) => ('update' in row && row.update === update ? [code] : [])))

/** A critical warning that blocks an update. */
export type Blocking = { id: string; code: string }

type About = Record<'boardId' | 'essId' | 'version', RawBuilder<unknown>>

/** True for a critical warning "w" that speaks against an update, open or not, unless the update itself fixes it. */
export const blocksUpdate = ({ boardId, essId, version }: About) => sql`"w"."severity" = 'CRITICAL' and not "w"."suppressed"
  and ("w"."controlPcbId" = ${boardId} or "w"."essId" = ${essId})
  and not ("w"."code" = any(${codesWith('CURED')}::text[]) and "w"."subject" is distinct from ${version})
  and not ("w"."code" = any(${codesWith('OWN_BOARD')}::text[]) and "w"."controlPcbId" is distinct from ${boardId})`

/** True for a critical warning "w" that no firmware can cause. */
export const isForeign = sql`"w"."code" = any(${codesWith('FOREIGN')}::text[])`

/** True for a warning "w" that the firmware to come may cure. */
const isCurable = sql`"w"."code" = any(${codesWith('CURABLE')}::text[])`

/** Open blocking warnings for the board "b" and the firmware "f". */
export const blockingWarnings = sql<
  Blocking[]
>`(select coalesce(jsonb_agg(jsonb_build_object('id', "w"."id", 'code', "w"."code")
    order by "w"."raisedAt"), '[]') from "telemetry_warning" "w" where "w"."active" and not ${isCurable} and ${blocksUpdate({
      boardId: sql`"b"."id"`,
      essId: sql`"b"."essId"`,
      version: sql`"f"."firmwareVersion"`,
    })})`
