import { sql } from 'kysely'
import { prepared } from '#server/db/prepared-statements.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { wasSilent } from '#server/fleet/shared/attention-keys.ts'
import type { BoardMemory } from '#server/frames/frame-decoder.ts'
import type { SiteFacts } from '#server/frames/site-facts.ts'
import { type AskedKey, keyWorks } from './known-keys.ts'
import type { Body } from './read-body.ts'

type Row = SiteFacts & {
  controlPcbId: string
  uid: string
  product: string
  version: number
  essId: string | null
  essVersion: number | null
  firmwareVersion: string | null
  lastSampleAt: string | null
  /** Since when it stands where it does, if it has been moved. */
  siteSince: string | null
  isEstimated: boolean
  captureUntil: string | null
  wasSilent: boolean
}

/** The sending board, with the facts and the state by which its frames are judged. */
export type Board = Pick<
  Row,
  | 'controlPcbId'
  | 'product'
  | 'version'
  | 'essId'
  | 'essVersion'
  | 'firmwareVersion'
  | 'lastSampleAt'
  | 'siteSince'
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
  firmwareVersion,
  lastSampleAt,
  siteSince,
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
  firmwareVersion,
  lastSampleAt,
  siteSince,
  isEstimated,
  captureUntil,
  wasSilent,
  site: essId ? site : undefined,
})

const columns = sql`"b"."id" as "controlPcbId", "b"."uid", "b"."product", "b"."version", "e"."id" as "essId", "e"."version" as "essVersion",
  "s"."firmwareVersion", "s"."lastSampleAt", "s"."siteSince", coalesce("s"."isEstimated", false) as "isEstimated",
  (select "c"."desired"->>'rawCaptureUntil' from "configuration" "c" where "c"."controlPcbId" = "b"."id"
    order by "c"."version" desc limit 1) as "captureUntil", ${wasSilent(sql`"b"."attention"`)} as "wasSilent", "e"."profile", "e"."chemistry", "e"."ratedEnergyWh",
  "e"."ratedChargePowerW", "e"."ratedDischargePowerW", "e"."cellsInSeries", "e"."pvPeakPowerW", "e"."gridConnectionLimitW"`
const joined = sql`left join "ess" "e" on "e"."id" = "b"."essId" left join "boardState" "s" on "s"."controlPcbId" = "b"."id"`

export async function boardsOfIds(db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, Board>> {
  const rows = await rowsOf(
    db,
    sql<Row>`${prepared} select ${columns} from "control_pcb" "b" ${joined} where "b"."id" = any(${sql.val(ids)}::text[])`,
  )
  return new Map(rows.map((row) => [row.controlPcbId, boardOf(row)]))
}

export const boardOfId = async (db: Queryable, id: string): Promise<Board | undefined> => (await boardsOfIds(db, [id])).get(id)

export type Remembered = { controlPcbId: string; memory: BoardMemory }
type AskedKeys = Omit<AskedKey, 'hash'> & { senders: readonly Pick<Body, 'keyHash' | 'controlPcbId'>[] }

/**
 * State of the boards of valid keys, and of boards whose key was valid when a stream took their frames, by key. Locks the boards in a fixed order, so that frames of one board are processed in
 * sequence: read everything else after this.
 */
export async function lockMemories(db: Queryable, { senders, demo, now }: AskedKeys): Promise<ReadonlyMap<string, Remembered>> {
  const works = keyWorks({ hash: sql`"a"."hash"`, demo, now })
  const rows = await rowsOf(
    db,
    sql<
      Remembered & { hash: string }
    >`${prepared} with "a" as (select * from unnest(${sql.val(senders.map(({ keyHash }) => keyHash))}::text[],
        ${sql.val(senders.map(({ controlPcbId }) => controlPcbId ?? null))}::text[]) as "u" ("hash", "taken")),
      "asked" as materialized (
        select "a"."hash", "k"."controlPcbId" from "a" join "deviceKey" "k" on ${works} where "a"."taken" is null
        union all select "a"."hash", "b"."id" from "a" join "control_pcb" "b" on "b"."id" = "a"."taken"),
      "locked" as (insert into "boardMemory" ("controlPcbId") select distinct "controlPcbId" from "asked" order by 1
        on conflict ("controlPcbId") do update set "controlPcbId" = excluded."controlPcbId" returning "controlPcbId", "memory")
      select "asked"."hash", "locked".* from "asked" join "locked" using ("controlPcbId")`,
  )
  return new Map(rows.map(({ hash, ...remembered }) => [hash, remembered]))
}

/** The same for the board of one key. */
export const lockMemory = async (db: Queryable, { hash, ...asked }: AskedKey): Promise<Remembered | undefined> =>
  (await lockMemories(db, { ...asked, senders: [{ keyHash: hash }] })).get(hash)
