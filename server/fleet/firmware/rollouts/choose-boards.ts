import { type RawBuilder, sql } from 'kysely'
import type { RolloutWait } from '#resources/shared/updates.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { hasSoundFile } from '#server/fleet/firmware/firmware-file.ts'
import { type Candidate, obstacleOf } from '#server/fleet/firmware/updates/pre-checks.ts'
import { compareVersions } from '#server/fleet/shared/compare-versions.ts'
import { connectionRank } from '#server/fleet/shared/connection-sql.ts'
import { counting } from '#server/fleet/shared/health-sql.ts'
import type { Alike } from './order-boards.ts'

type Firmware = Pick<
  Candidate,
  'firmwareId' | 'firmwareVersion' | 'status' | 'imageProduct' | 'hardwareRevisions' | 'minFromVersion' | 'hasFile'
>

type Facts = { product: string; hardwareRevision: string; lifecycle: string; currentVersion: string | null; isOnline: boolean }
/** Boards that are equivalent for an update. */
export type Group = Alike & Facts & { chemistry: string | null }
/** Boards that meet the conditions: those included, and those excluded with the reason. */
export type Choice = { taken: Group[]; left: (Group & { reason: RolloutWait })[] }

const textsOf = (value: unknown): string[] | null => (Array.isArray(value) && value.length > 0 ? value.map(String) : null)

const oneOf = (column: RawBuilder<unknown>, value: unknown): RawBuilder<unknown>[] => {
  const texts = textsOf(value)
  return texts ? [sql`${column} = any(${texts}::text[])`] : []
}

/** Conditions of a rollout on the boards "b" with reports "s" in the ESS "e". */
const conditions = ({ controlPcbIds, hardwareRevisions, essModelIds, regions }: Row): RawBuilder<unknown>[] => [
  ...oneOf(sql`"b"."id"`, controlPcbIds),
  ...oneOf(sql`"b"."hardwareRevision"`, hardwareRevisions),
  ...oneOf(sql`"e"."essModelId"`, essModelIds),
  ...oneOf(
    sql`lower("e"."location"->>'region')`,
    textsOf(regions)?.map((region) => region.toLowerCase()),
  ),
]

/** Boards and systems with a relevant open warning, and boards in an update: looked up once, not per board. */
const warned = (name: string) =>
  sql`(select distinct ${sql.id('w', name)} as "id" from "telemetry_warning" "w" where "w"."severity" <> 'INFO' and ${counting})`
const updating = sql`(select distinct "u"."controlPcbId" as "id" from "firmware_update" "u" where "u"."finishedAt" is null)`

/**
 * Boards grouped by what decides their update, each group in order of its lots. The lot depends on the firmware, so it is the
 * same before and after saving. Ids are sorted per group: sorting the whole fleet takes twice as long.
 */
const groupsOf = (db: Queryable, values: Row, most: number | null): Promise<Group[]> => {
  const lot = sql`hashtextextended("i", hashtextextended(${values.firmwareId}::text, 0))`
  return rowsOf(
    db,
    sql<Group>`select "product", "hardwareRevision", "lifecycle", "currentVersion", "chemistry", "isOnline", "isOnline" and "isCalm" as "isReady", "count",
        concat_ws(' ', "product", "hardwareRevision", "currentVersion", "chemistry") as "sort",
        (select array_agg("i" order by "lot", "i")
          from (select "i", ${lot} as "lot" from unnest("all") "i" order by 2, 1 limit ${most}) "z") as "ids"
      from (select "b"."product", "b"."hardwareRevision", "b"."lifecycle", "s"."firmwareVersion" as "currentVersion", "e"."chemistry",
          coalesce(${connectionRank} = 1, false) as "isOnline", "u"."id" is null and "x"."id" is null and "y"."id" is null as "isCalm",
          count(*)::int4 as "count", array_agg("b"."id") as "all"
        from "control_pcb" "b" left join "boardState" "s" on "s"."controlPcbId" = "b"."id" left join "ess" "e" on "e"."id" = "b"."essId"
        left join ${updating} "u" on "u"."id" = "b"."id"
        left join ${warned('controlPcbId')} "x" on "x"."id" = "b"."id" left join ${warned('essId')} "y" on "y"."id" = "b"."essId"
        where ${sql.join([sql`true`, ...conditions(values)], sql` and `)}
        group by 1, 2, 3, 4, 5, 6, 7) "g" order by "count" desc, "sort", "isOnline", "isCalm"`,
  )
}

const firmwareOf = (db: Queryable, id: unknown): Promise<Firmware | undefined> =>
  rowOf(
    db,
    sql<Firmware>`select "f"."id" as "firmwareId", "f"."firmwareVersion", "f"."status", "f"."product" as "imageProduct",
        "f"."hardwareRevisions", "f"."minFromVersion", ${hasSoundFile} as "hasFile" from "firmware" "f" where "f"."id" = ${id}`,
  )

/** A temporary state excludes no board: it waits for its turn. */
const unobstructed = { socPct: null, criticals: [], openUpdateId: null, window: undefined, zone: 'UTC' }

/** Conditions on group facts: versions are compared by part, and who will be online cannot be planned. */
const meets = (values: Row, { currentVersion, isOnline }: Facts): boolean =>
  hasVersionIn(values, currentVersion) && (values.onlineOnly !== true || isOnline)

const hasVersionIn = ({ versionFrom, versionTo }: Row, version: string | null): boolean => {
  const isSince = typeof versionFrom !== 'string' || (version !== null && compareVersions(version, versionFrom) >= 0)
  return isSince && (typeof versionTo !== 'string' || (version !== null && compareVersions(version, versionTo) <= 0))
}

/** A board selected by conditions gets no equal or older version; an explicitly named one may be downgraded. */
function reasonFor(group: Facts, firmware: Firmware, isNamed: boolean): RolloutWait | undefined {
  const obstacle = obstacleOf({ controlPcbId: '', code: '', essId: null, ...unobstructed, ...group, ...firmware })
  if (obstacle || isNamed) return obstacle
  if (group.currentVersion === null) return 'VERSION_UNKNOWN'
  return compareVersions(group.currentVersion, firmware.firmwareVersion) < 0 ? undefined : 'NOT_OLDER'
}

/**
 * Boards included in a rollout with these values, and those that meet its conditions but cannot take the firmware. At most
 * `most` ids per group; null: all. Shared by the form's preview and the start.
 */
export async function chooseBoards(db: Queryable, values: Row, most: number | null): Promise<Choice> {
  const firmware = await firmwareOf(db, values.firmwareId)
  if (!firmware) return { taken: [], left: [] }
  const groups = (await groupsOf(db, values, most)).filter((group) => meets(values, group))
  const isNamed = textsOf(values.controlPcbIds) !== null
  const weighed = groups.map((group) => ({ group, reason: reasonFor(group, firmware, isNamed) }))
  return {
    taken: weighed.flatMap(({ group, reason }) => (reason ? [] : [group])),
    left: weighed.flatMap(({ group, reason }) => (reason ? [{ ...group, reason }] : [])),
  }
}

export const sizeOf = (groups: readonly Alike[]): number => groups.reduce((sum, { count }) => sum + count, 0)
