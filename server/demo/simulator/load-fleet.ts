import { type RawBuilder, sql } from 'kysely'
import { dayMs } from '#schema/format/durations.ts'
import type { Database } from '#server/db/connect.ts'
import { rowsOf } from '#server/db/query.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { demoDeviceKey, hashOfKey } from '#server/fleet/board/device-key.ts'
import type { BoardSelf } from './board-frames.ts'
import { plantOf, type Site } from './plant.ts'
import { type Checkpoint, RunningPlant } from './running-plant.ts'
import { type BoardFacts, SimulatedBoard } from './simulated-board.ts'

const isTagged = (id: RawBuilder<unknown>) =>
  sql`exists (select 1 from "demoRecord" "d" where "d"."table" = 'control_pcb' and "d"."id" = ${id})`

/** Installed boards "b" of the demo fleet that have no key of their own: every other board is real. */
export const isPlayed = sql`"b"."essId" is not null and "b"."role" is not null and "b"."lifecycle" in ('ACTIVE', 'QUARANTINED')
  and ${isTagged(sql`"b"."id"`)}
  and not exists (select 1 from "deviceKey" "k" where "k"."controlPcbId" = "b"."id" and not "k"."isDemo")`

type SiteRow = Site & { id: string; day: number | null; state: Checkpoint['state'] | null }

/** Sites with boards, and the last checkpoint of each up to `day`. */
const sitesOf = ({ kysely }: Database, day: number) =>
  rowsOf(
    kysely,
    sql<SiteRow>`select "e"."id", "e"."code", "e"."profile", "e"."chemistry", "e"."ratedEnergyWh", "e"."ratedChargePowerW",
        "e"."ratedDischargePowerW", "e"."ratedCapacityAh", "e"."cellsInSeries", "e"."modules", "e"."pvPeakPowerW", "e"."gridPhases",
        "e"."gridConnectionLimitW", ("e"."location"->>'lat')::float8 as "lat", ("e"."location"->>'lon')::float8 as "lon",
        "e"."location"->>'timezone' as "timezone", "e"."installedAt", "c"."day", "c"."state"
      from "ess" "e" left join lateral (select * from "simulatorDay" "d" where "d"."essId" = "e"."id" and "d"."day" <= ${day}
        order by "d"."day" desc limit 1) "c" on true
      where exists (select 1 from "control_pcb" "b" where "b"."essId" = "e"."id" and ${isPlayed}) order by "e"."code"`,
  )

type BoardRow = Omit<BoardSelf, 'bootedMs' | 'seq' | 'resetReason'> & {
  id: string
  essId: string
  role: 'MAIN' | 'MODULE'
  moduleIndex: number | null
  ip: string | null
  resetReason: BoardSelf['resetReason'] | null
  lastPacketAt: string | null
  uptimeS: number | null
  seq: number | null
  configuration: Row | null
  configVersion: number | null
  rejectedVersion: number | null
}

/** Boards with their last report, from which their state is restored. */
const boardsOf = ({ kysely }: Database) =>
  rowsOf(
    kysely,
    sql<BoardRow>`select "b"."id", "b"."essId", "b"."role", "b"."moduleIndex", "b"."uid", "b"."hardwareRevision", "s"."ip",
        coalesce("s"."firmwareVersion", case when "b"."hardwareRevision" like 'A%' then '1.9.4' else '2.1.3' end) as "firmwareVersion",
        "s"."previousVersion", coalesce("s"."bootloaderVersion", '1.2.0') as "bootloaderVersion",
        coalesce("s"."transport", 'LTE') as "transport", "s"."lastResetReason" as "resetReason",
        coalesce("s"."rebootCount", 0) as "rebootCount", "s"."uptimeS", "s"."lastPacketAt", ("m"."memory"->>'seq')::int4 as "seq",
        "s"."reported" as "configuration", "s"."reportedVersion" as "configVersion", "s"."rejectedVersion"
      from "control_pcb" "b" left join "boardState" "s" on "s"."controlPcbId" = "b"."id" left join "boardMemory" "m" on "m"."controlPcbId" = "b"."id"
      where ${isPlayed} order by "b"."code"`,
  )

const seqOf = ({ seq, uid }: BoardRow) => seq ?? Number.parseInt(uid.slice(-4), 16)

function selfOf(row: BoardRow, nowMs: number): BoardSelf {
  const { uid, hardwareRevision, firmwareVersion, previousVersion, bootloaderVersion, transport, rebootCount, uptimeS } = row
  const lastMs = row.lastPacketAt ? Date.parse(row.lastPacketAt) : nowMs
  return {
    uid,
    hardwareRevision,
    firmwareVersion,
    previousVersion,
    bootloaderVersion,
    transport,
    rebootCount,
    resetReason: row.resetReason ?? 'POWER_ON',
    bootedMs: lastMs - 1000 * (uptimeS ?? 0),
    seq: seqOf(row),
  }
}

function factsOf(row: BoardRow, plant: RunningPlant, seed: number, nowMs: number): BoardFacts {
  const { id, essId, role, moduleIndex, uid, ip, configuration, configVersion, rejectedVersion } = row
  return {
    id,
    essId,
    role,
    moduleIndex,
    key: demoDeviceKey(seed, uid),
    ip: ip ?? '10.0.0.1',
    plant,
    self: selfOf(row, nowMs),
    configuration: configuration ?? {},
    configVersion: configVersion ?? 0,
    rejectedVersion,
  }
}

/** `isNew`: sites with a main board and without a checkpoint: they have no history. */
export type Fleet = {
  boards: readonly SimulatedBoard[]
  plants: ReadonlyMap<string, RunningPlant>
  isNew: ReadonlySet<string>
}

/** Sets the seed-derived key of every demo board and removes it from all others: it is not secret. */
export async function giveDemoKeys({ kysely }: Database, seed: number, now: Date): Promise<void> {
  await sql`delete from "deviceKey" "k" where "k"."isDemo" and not ${isTagged(sql`"k"."controlPcbId"`)}`.execute(kysely)
  const boards = await rowsOf(
    kysely,
    sql<{ id: string; uid: string }>`select "b"."id", "b"."uid" from "control_pcb" "b" where ${isPlayed}
      and not exists (select 1 from "deviceKey" "k" where "k"."controlPcbId" = "b"."id")`,
  )
  if (boards.length === 0) return
  const hashes = boards.map(({ uid }) => hashOfKey(demoDeviceKey(seed, uid)))
  await sql`insert into "deviceKey" ("controlPcbId", "hash", "isDemo", "createdAt")
    select "u"."id", "u"."hash", true, ${now}::timestamptz from unnest(${sql.val(boards.map(({ id }) => id))}::text[], ${sql.val(hashes)}::text[])
      as "u" ("id", "hash") on conflict do nothing`.execute(kysely)
}

type Loading = { seed: number; nowMs: number; firstDay: number; before: Fleet | undefined }

const keyOf = ({ id, essId, role }: { id: string; essId: string; role: string }) => `${id} ${essId} ${role}`

/** Restores the fleet from the database; a plant without a checkpoint starts on `firstDay`. */
export async function loadFleet(database: Database, { seed, nowMs, firstDay, before }: Loading): Promise<Fleet> {
  const today = Math.floor(nowMs / dayMs)
  const plants = new Map<string, RunningPlant>()
  const unkept = new Set<string>()
  for (const { id, day, state, ...site } of await sitesOf(database, today)) {
    const plant = plantOf(site)
    const checkpoint = day !== null && state ? { day, state } : RunningPlant.firstCheckpoint(plant, firstDay)
    if (day === null) unkept.add(id)
    plants.set(id, before?.plants.get(id) ?? new RunningPlant(plant, checkpoint))
  }
  const known = new Map(before?.boards.map((board) => [keyOf(board.facts), board]))
  const boards = (await boardsOf(database)).flatMap((row) => {
    const plant = plants.get(row.essId)
    if (!plant) return []
    return [known.get(keyOf(row)) ?? new SimulatedBoard(factsOf(row, plant, seed, nowMs), nowMs)]
  })
  for (const board of boards)
    board.main = boards.find(({ facts }) => facts.essId === board.facts.essId && facts.role === 'MAIN')
  const mains = boards.filter(({ facts }) => facts.role === 'MAIN').map(({ facts }) => facts.essId)
  return { boards, plants, isNew: new Set(mains.filter((essId) => unkept.has(essId))) }
}

/** Stores the plants' states at the start of a day. */
export async function keepCheckpoints(
  { kysely }: Database,
  checkpoints: readonly (Checkpoint & { essId: string })[],
): Promise<void> {
  if (checkpoints.length === 0) return
  await sql`insert into "simulatorDay" ("essId", "day", "state")
    select "essId", "day", "state" from jsonb_to_recordset(${JSON.stringify(checkpoints)}::jsonb) as "c" ("essId" text, "day" int4, "state" jsonb)
    on conflict do nothing`.execute(kysely)
}
