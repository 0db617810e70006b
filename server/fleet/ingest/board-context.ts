import { sql } from 'kysely'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { wasSilent } from '#server/fleet/shared/attention-keys.ts'
import type { BoardMemory } from '#server/frames/frame-decoder.ts'
import type { SiteFacts } from '#server/frames/site-facts.ts'
import { type AskedKey, keyWorks } from './ingest-guard.ts'

type Row = SiteFacts & {
  controlPcbId: string
  uid: string
  product: string
  version: number
  essId: string | null
  essVersion: number | null
  zone: string | null
  firmwareVersion: string | null
  lastSampleAt: string | null
  isEstimated: boolean
  captureUntil: string | null
  wasSilent: boolean
}

/** The board that sends, with what its frames are judged by and what is known of it so far. */
export type Board = Pick<
  Row,
  | 'controlPcbId'
  | 'product'
  | 'version'
  | 'essId'
  | 'essVersion'
  | 'zone'
  | 'firmwareVersion'
  | 'lastSampleAt'
  | 'isEstimated'
  | 'captureUntil'
  | 'wasSilent'
> & {
  uid: string
  site: SiteFacts | undefined
}

const boardOf = ({
  controlPcbId,
  uid,
  product,
  version,
  essId,
  essVersion,
  zone,
  firmwareVersion,
  lastSampleAt,
  isEstimated,
  captureUntil,
  wasSilent,
  ...site
}: Row): Board => ({
  controlPcbId,
  uid: uid.toUpperCase(),
  product,
  version,
  essId,
  essVersion,
  zone,
  firmwareVersion,
  lastSampleAt,
  isEstimated,
  captureUntil,
  wasSilent,
  site: essId ? site : undefined,
})

const columns = sql`"b"."id" as "controlPcbId", "b"."uid", "b"."product", "b"."version", "e"."id" as "essId", "e"."version" as "essVersion",
  "e"."location"->>'timezone' as "zone", "s"."firmwareVersion", "s"."lastSampleAt", coalesce("s"."isEstimated", false) as "isEstimated",
  (select "c"."desired"->>'rawCaptureUntil' from "configuration" "c" where "c"."controlPcbId" = "b"."id"
    order by "c"."version" desc limit 1) as "captureUntil", ${wasSilent(sql`"b"."attention"`)} as "wasSilent", "e"."chemistry", "e"."ratedEnergyWh",
  "e"."ratedChargePowerW", "e"."ratedDischargePowerW", "e"."cellsInSeries", "e"."pvPeakPowerW", "e"."gridConnectionLimitW"`
const joined = sql`left join "ess" "e" on "e"."id" = "b"."essId" left join "boardState" "s" on "s"."controlPcbId" = "b"."id"`

export async function boardOfId(db: Queryable, id: unknown): Promise<Board | undefined> {
  const row = await rowOf(db, sql<Row>`select ${columns} from "control_pcb" "b" ${joined} where "b"."id" = ${id}`)
  return row && boardOf(row)
}

export type Remembered = { controlPcbId: string; memory: BoardMemory }

/**
 * State of the board that a working key belongs to. Locks the board: frames of one board
 * are processed in sequence, so read everything else after this.
 */
export const lockMemory = (db: Queryable, key: AskedKey): Promise<Remembered | undefined> =>
  rowOf(
    db,
    sql<Remembered>`insert into "boardMemory" ("controlPcbId")
      select "k"."controlPcbId" from "deviceKey" "k" where ${keyWorks(key)}
      on conflict ("controlPcbId") do update set "controlPcbId" = excluded."controlPcbId" returning "controlPcbId", "memory"`,
  )
