import { setTimeout, setImmediate as turnOfOthers } from 'node:timers/promises'
import { sql } from 'kysely'
import { dayMs } from '#schema/format/durations.ts'
import type { Api, ServerContext } from '#server/base/context.ts'
import { Lease } from '#server/db/jobs/lease.ts'
import { rowOf, rowsOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type FleetPlan, planOf } from '#server/demo/fleet-plan.ts'
import { writePast } from '#server/demo/past/write-past.ts'
import { type Cast, initialFaults, randomFaults, unrestEveryMs } from './demo-script.ts'
import { requestDemoUpdates } from './demo-updates.ts'
import { faultsSince, injectFaults } from './fault-store.ts'
import { fillHistory, fillHours } from './fill-history.ts'
import { LiveFleet } from './live-fleet.ts'
import { type Fleet, giveDemoKeys, isPlayed, loadFleet } from './load-fleet.ts'

const leaseLifeMs = 20_000
const renewEveryMs = 5_000
/** A site's hours take the embedded database a fifth of a second. */
const hoursEveryMs = 600
const reviewEveryMs = 15_000
/** Boards without reports for longer than this count as silent. */
const silentMs = 150_000

const castOf = async ({ database }: ServerContext, nowMs: number): Promise<Cast[]> => {
  const rows = await rowsOf(
    database.kysely,
    sql<{
      id: string
      code: string
      essId: string
      createdAt: string
      role: Cast['role']
      profile: string
      lastPacketAt: string | null
      lastValidPacketAt: string | null
    }>`
      select "b"."id", "b"."code", "b"."essId", "b"."createdAt", "b"."role", "e"."profile", "s"."lastPacketAt", "s"."lastValidPacketAt" from "control_pcb" "b"
      join "ess" "e" on "e"."id" = "b"."essId" left join "boardState" "s" on "s"."controlPcbId" = "b"."id" where ${isPlayed} order by "b"."code"`,
  )
  return rows.map(({ id, code, essId, createdAt, role, profile, lastPacketAt, lastValidPacketAt }) => {
    const validMs = lastValidPacketAt ? Date.parse(lastValidPacketAt) : null
    const isSilent = validMs !== null && nowMs - validMs > silentMs
    const hasBadData = lastPacketAt !== null && nowMs - Date.parse(lastPacketAt) < silentMs
    return {
      id,
      code,
      essId,
      attachedMs: Date.parse(createdAt),
      role,
      profile,
      silentSinceMs: isSilent ? validMs : null,
      hasBadData,
    }
  })
}

type Script = { cast: readonly Cast[]; plan: FleetPlan; firstDay: number }

/** Writes the past and the faults that the fleet begins with, once, and lets the boards be silent since then. */
async function openScript({ database, clock }: ServerContext, { cast, plan, firstDay }: Script): Promise<void> {
  const now = clock()
  const { seed, isFirst } = plan
  const faults = initialFaults(cast, seed, now.getTime())
  await inTransaction(database, async (db) => {
    const known = await rowOf(db, sql`select 1 from "simulatorFault" limit 1`)
    if (known) return
    await injectFaults(db, faults)
    for (const { controlPcbId, kind, fromMs } of faults) {
      if (kind !== 'COMMS_LOSS' || fromMs > now.getTime()) continue
      const since = new Date(fromMs)
      await sql`update "boardState" set "lastPacketAt" = least("lastPacketAt", ${since}), "lastSampleAt" = least("lastSampleAt", ${since}),
        "lastValidPacketAt" = least("lastValidPacketAt", ${since}) where "controlPcbId" = ${controlPcbId}`.execute(db)
    }
    await requestDemoUpdates(db, now)
    await writePast(db, { cast, seed, now, samplesFromMs: firstDay * dayMs, isFirst })
  })
}

type Playing = { live: LiveFleet; fleet: Fleet; boards: string; plan: FleetPlan }

/** The running demo fleet, in the process that holds its lease. */
export class Simulation {
  readonly #api: Api
  readonly #context: ServerContext
  readonly #lease: Lease
  #playing: Playing | undefined
  #renewedMs = 0
  #reviewedMs = 0
  #unrest: number
  #filling: Promise<void> = Promise.resolve()
  #fillingHours: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(api: Api, context: ServerContext) {
    this.#api = api
    this.#context = context
    this.#lease = new Lease(context.database, { name: 'simulator', lifeMs: leaseLifeMs })
    this.#unrest = Math.floor(context.clock().getTime() / unrestEveryMs)
  }

  async #isOurs(): Promise<boolean> {
    const now = performance.now()
    if (this.#playing && now - this.#renewedMs < renewEveryMs) return true
    const isOurs = await this.#lease.take()
    this.#renewedMs = now
    if (!isOurs) this.#playing = undefined
    return isOurs
  }

  /** Fingerprint of the boards, to detect attached and removed ones while the fleet runs. */
  async #boardsNow(): Promise<string> {
    const row = await rowOf(
      this.#context.database.kysely,
      sql<{
        boards: string | null
      }>`select md5(string_agg("b"."id" || "b"."essId" || "b"."role", ',' order by "b"."id")) as "boards"
        from "control_pcb" "b" where ${isPlayed}`,
    )
    return row?.boards ?? ''
  }

  async #open(boards: string): Promise<Playing> {
    const { database, config, clock } = this.#context
    const now = clock()
    const nowMs = now.getTime()
    const plan = await planOf(database.kysely, config)
    const { seed } = plan
    await giveDemoKeys(database, seed, now)
    const firstDay = Math.floor(nowMs / dayMs) - plan.days
    if (plan.faults) await openScript(this.#context, { cast: await castOf(this.#context, nowMs), plan, firstDay })
    const fleet = await loadFleet(database, { seed, nowMs, firstDay, before: this.#playing?.fleet })
    const faults = await faultsSince(database.kysely, firstDay * dayMs)
    for (const board of fleet.boards) board.faults = faults.get(board.facts.id) ?? []
    return { fleet, boards, plan, live: new LiveFleet(this.#api, this.#context, fleet) }
  }

  /** Creates missing history site by site; boards of a site join when it is complete. */
  async #fill({ fleet, live }: Playing): Promise<void> {
    const empty = fleet.boards.filter(({ facts }) => facts.role === 'MAIN' && fleet.isNew.has(facts.essId))
    if (empty.length === 0) return
    const started = performance.now()
    console.log(`Demo fleet: writing the past of ${empty.length} sites…`)
    let samples = 0
    for (const [index, board] of empty.entries()) {
      if (this.#isStopped) return
      const toMs = this.#context.clock().getTime()
      const boards = fleet.boards.filter(({ facts }) => facts.essId === board.facts.essId)
      samples += await fillHistory(this.#context.database, { board, boards, toMs })
      live.begin(board.facts.essId)
      await turnOfOthers()
      if ((index + 1) % Math.ceil(empty.length / 4) === 0) console.log(`Demo fleet: ${index + 1} of ${empty.length} sites`)
    }
    console.log(`Demo fleet: ${samples} samples of the past in ${((performance.now() - started) / 1000).toFixed(1)} s`)
  }

  /** The hours of the past month, one site a while: the fleet lives already, and people look at it. */
  async #fillHours(playing: Playing): Promise<void> {
    for (const board of playing.fleet.boards.filter(({ facts }) => facts.role === 'MAIN')) {
      if (this.#isStopped || this.#playing !== playing) return
      const wasMissing = await fillHours(this.#context.database, board, this.#context.clock().getTime())
      if (wasMissing) await setTimeout(hoursEveryMs)
    }
  }

  readonly #unwritten = (error: unknown) =>
    this.#context.log.error({ err: error }, 'the past of the demo fleet could not be written')

  async #review(): Promise<Playing> {
    const { database, clock } = this.#context
    const boards = await this.#boardsNow()
    if (!this.#playing || this.#playing.boards !== boards) {
      await this.#filling
      const playing = await this.#open(boards)
      this.#playing = playing
      this.#filling = this.#fill(playing).catch(this.#unwritten)
      this.#fillingHours = this.#filling.then(() => this.#fillHours(playing)).catch(this.#unwritten)
    }
    const interval = Math.floor(clock().getTime() / unrestEveryMs)
    if (interval > this.#unrest) {
      this.#unrest = interval
      const { faults, seed } = this.#playing.plan
      if (faults)
        await injectFaults(database.kysely, randomFaults(await castOf(this.#context, clock().getTime()), seed, interval))
    }
    return this.#playing
  }

  /** One tick, called every second. */
  async tick(): Promise<void> {
    if (this.#isStopped || !(await this.#isOurs())) return
    const nowMs = this.#context.clock().getTime()
    if (!this.#playing || nowMs - this.#reviewedMs > reviewEveryMs) {
      this.#reviewedMs = nowMs
      await this.#review()
    }
    if (!this.#isStopped) await this.#playing?.live.tick()
  }

  /** Resolves when the history of every site is complete. */
  get filled(): Promise<void> {
    return this.#filling
  }

  /** Starts nothing new. */
  end(): void {
    this.#isStopped = true
    this.#playing?.live.end()
  }

  /** Waits for running work and releases the lease. */
  async close(): Promise<void> {
    await this.#fillingHours
    await this.#lease.release()
  }
}
