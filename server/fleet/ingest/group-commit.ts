import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { hourMs } from '#schema/format/durations.ts'
import { problem } from '#server/base/problems.ts'
import type { Database } from '#server/db/connect.ts'
import { databaseProblem } from '#server/db/database-problem.ts'
import { type IngestTools, ingestBodies } from './ingest-frames.ts'
import type { Body, Ingested } from './read-body.ts'

const mostBodies = 64
/** Transactions at a time, and frames of one; a single body may have more. On the embedded engine a list waits for a transaction. */
const limits: Record<Database['kind'], { lanes: number; mostFrames: number }> = {
  server: { lanes: 2, mostFrames: 2_000 },
  embedded: { lanes: 1, mostFrames: 100 },
}
/** During concurrent requests a transaction waits this long for boards that react to the one before. */
const gatherMs = 3

type Waiting = { body: Body; resolve: (ingested: Ingested) => void; reject: (error: unknown) => void }

const hourOf = ({ receivedAt }: Body) => Math.floor(receivedAt.getTime() / hourMs)

/** The next group: the first body of each key, since frames of a board are stored in sequence, and bodies of one hour. */
function nextGroup(waiting: readonly Waiting[], mostFrames: number): Waiting[] {
  const keys = new Set<string>()
  let frames = 0
  const hour = waiting[0] && hourOf(waiting[0].body)
  return waiting.filter(({ body }) => {
    if (hourOf(body) !== hour || keys.has(body.keyHash)) return false
    keys.add(body.keyHash)
    if (keys.size > mostBodies || (frames > 0 && frames + body.frames.length > mostFrames)) return false
    frames += body.frames.length
    return true
  })
}

/** Stores bodies, one transaction at a time. */
class Lane {
  readonly #tools: IngestTools
  #waiting: Waiting[] = []
  #isBusy = false
  #wasShared = false

  constructor(tools: IngestTools) {
    this.#tools = tools
  }

  add(waiting: Waiting): void {
    this.#waiting.push(waiting)
    if (!this.#isBusy) void this.#work()
  }

  async #work(): Promise<void> {
    this.#isBusy = true
    while (this.#waiting.length > 0) {
      await (this.#wasShared && this.#waiting.length < mostBodies ? delay(gatherMs) : nextTurn())
      const group = nextGroup(this.#waiting, limits[this.#tools.context.database.kind].mostFrames)
      this.#waiting = this.#waiting.filter((one) => !group.includes(one))
      this.#wasShared = group.length > 1
      await this.#store(group)
    }
    this.#isBusy = false
  }

  #resolve({ resolve }: Waiting, ingested: Ingested): void {
    const { accepted, invalid, duplicate } = ingested
    for (const [outcome, amount] of Object.entries({ accepted, invalid, duplicate }))
      this.#tools.context.metrics.frames.inc({ outcome }, amount)
    resolve(ingested)
  }

  /** A failed group is retried body by body, so that one board's frames never fail another's. */
  async #store(group: readonly Waiting[]): Promise<void> {
    const rest: Waiting[] = []
    try {
      const ingested = await ingestBodies(
        this.#tools,
        group.map(({ body }) => body),
      )
      for (const one of group) {
        const answer = ingested.get(one.body)
        if (answer) this.#resolve(one, answer)
        else if (group.length === 1) one.reject(problem('device-key.unknown'))
        else rest.push(one)
      }
    } catch (error) {
      const isAway = databaseProblem(error)?.code === 'unavailable'
      if (group.length > 1 && !isAway) rest.push(...group)
      else for (const { reject } of group) reject(error)
    }
    for (const one of rest) await this.#store([one])
  }
}

/**
 * Group commit: concurrent bodies of many boards share a transaction, which has the same number of round trips for any group
 * size. A body is answered after its commit. Bodies of a key use the same lane and stay in order.
 */
export class GroupCommit {
  readonly #lanes: readonly Lane[]

  constructor(tools: IngestTools) {
    const { lanes } = limits[tools.context.database.kind]
    this.#lanes = Array.from({ length: lanes }, () => new Lane(tools))
  }

  store(body: Body): Promise<Ingested> {
    const lane = this.#lanes[Buffer.from(body.keyHash, 'base64url').readUInt32LE() % this.#lanes.length] ?? this.#lanes[0]
    return new Promise((resolve, reject) => lane?.add({ body, resolve, reject }))
  }
}
