import { type RawBuilder, sql } from 'kysely'
import type { BoardFitness } from '#resources/shared/rollout-parts.ts'
import type { RolloutWait } from '#resources/shared/updates.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { compareVersions } from '#server/fleet/shared/compare-versions.ts'
import { connectionRank } from '#server/fleet/shared/connection-sql.ts'
import { counting } from '#server/fleet/shared/health-sql.ts'
import { conditions, textsOf } from './board-conditions.ts'
import type { Alike } from './order-boards.ts'
import type { Brought, Facts, Moment } from './payload.ts'
import { payloadFor } from './payloads.ts'

/** Boards that are equivalent for a rollout. */
export type Group = Alike & Facts & { chemistry: string | null; fitness: BoardFitness }
/** Boards that meet the conditions: those included, and those excluded with the reason. */
export type Choice = { taken: Group[]; left: (Group & { reason: RolloutWait })[] }

/** Boards and systems with a relevant open warning, and boards in an update: looked up once, not per board. */
const warned = (name: string) =>
  sql`(select distinct ${sql.id('w', name)} as "id" from "telemetry_warning" "w" where "w"."severity" <> 'INFO' and ${counting})`
const updating = sql`(select distinct "u"."controlPcbId" as "id" from "firmware_update" "u" where "u"."finishedAt" is null)`

type Chosen = { values: Row; brought: Brought; most: number | null }

/**
 * Boards grouped by what decides their part in the rollout, each group in order of its lots. The lot depends on what is brought,
 * so it is the same before and after saving. Ids are sorted per group: sorting the whole fleet takes twice as long.
 */
const groupsOf = (db: Queryable, { values, brought, most }: Chosen): Promise<Group[]> => {
  const lot: RawBuilder<unknown> = sql`hashtextextended("i", hashtextextended(${brought.lot}::text, 0))`
  return rowsOf(
    db,
    sql<Group>`select "product", "hardwareRevision", "lifecycle", "currentVersion", "chemistry", "isOnline", "fitness",
        "fitness" = 'READY' as "isReady", "obstacle", "count", concat_ws(' ', "product", "hardwareRevision", "currentVersion", "chemistry") as "sort",
        (select array_agg("i" order by "lot", "i")
          from (select "i", ${lot} as "lot" from unnest("all") "i" order by 2, 1 limit ${most}) "z") as "ids"
      from (select "b"."product", "b"."hardwareRevision", "b"."lifecycle", "s"."firmwareVersion" as "currentVersion", "e"."chemistry",
          coalesce(${connectionRank} = 1, false) as "isOnline", case when ${connectionRank} = 1 then case when "u"."id" is not null then 'BUSY'
            when "x"."id" is not null or "y"."id" is not null then 'WARNED' else 'READY' end else 'SILENT' end as "fitness",
          ${brought.obstacle} as "obstacle", count(*)::int4 as "count", array_agg("b"."id") as "all"
        from "control_pcb" "b" left join "boardState" "s" on "s"."controlPcbId" = "b"."id" left join "ess" "e" on "e"."id" = "b"."essId"
        left join ${updating} "u" on "u"."id" = "b"."id"
        left join ${warned('controlPcbId')} "x" on "x"."id" = "b"."id" left join ${warned('essId')} "y" on "y"."id" = "b"."essId"
        ${brought.join} where ${conditions(values)}
        group by 1, 2, 3, 4, 5, 6, 7, 8) "g" order by "count" desc, "sort", "isOnline", "fitness", "obstacle"`,
  )
}

/** Conditions on group facts: versions are compared by part, and who will be online cannot be planned. */
const meets = (values: Row, { currentVersion, isOnline }: Facts): boolean =>
  hasVersionIn(values, currentVersion) && (values.onlineOnly !== true || isOnline)

const hasVersionIn = ({ versionFrom, versionTo }: Row, version: string | null): boolean => {
  const isSince = typeof versionFrom !== 'string' || (version !== null && compareVersions(version, versionFrom) >= 0)
  return isSince && (typeof versionTo !== 'string' || (version !== null && compareVersions(version, versionTo) <= 0))
}

/**
 * Boards included in a rollout with these values, and those that meet its conditions but cannot take what it brings. At most
 * `most` ids per group; null: all. Shared by the form's preview and the start.
 */
export async function chooseBoards(at: Moment, values: Row, most: number | null): Promise<Choice> {
  const brought = await payloadFor(values.brings).brought(at, values)
  if (!brought) return { taken: [], left: [] }
  const groups = (await groupsOf(at.db, { values, brought, most })).filter((group) => meets(values, group))
  const isNamed = textsOf(values.controlPcbIds) !== null
  const weighed = groups.map((group) => ({ group, reason: brought.reasonFor(group, isNamed) }))
  return {
    taken: weighed.flatMap(({ group, reason }) => (reason ? [] : [group])),
    left: weighed.flatMap(({ group, reason }) => (reason ? [{ ...group, reason }] : [])),
  }
}

export const sizeOf = (groups: readonly Alike[]): number => groups.reduce((sum, { count }) => sum + count, 0)
