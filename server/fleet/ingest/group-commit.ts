import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { hourMs } from '#schema/format/durations.ts'
import { problem } from '#server/base/problems.ts'
import type { Database } from '#server/db/connect.ts'
import { databaseProblem } from '#server/db/database-problem.ts'
import { isSoundClock } from './clock-offset.ts'
import { type IngestTools, ingestBodies } from './ingest-frames.ts'
import { type Body, type Ingested, mostRefused } from './read-body.ts'

const mostBodies = 64
/**
 * Transactions at a time, and frames of one. A larger body is stored in pieces, each with all that follows from it, and other boards come in
 * between. On the embedded engine a list waits for a transaction.
 */
const limits: Record<Database['kind'], { lanes: number; mostFrames: number; mostOfBody: number }> = {
  server: { lanes: 2, mostFrames: 2_000, mostOfBody: 2_000 },
  embedded: { lanes: 1, mostFrames: 100, mostOfBody: 500 },
}
/** During concurrent requests a transaction waits this long for boards that react to the one before. */
const gatherMs = 3

type Waiting = {
  body: Body
  /** Frames of the body that are stored, and the answer for them. */
  stored: number
  sum: Ingested | undefined
  resolve: (ingested: Ingested) => void
  reject: (error: unknown) => void
}

const hourOf = ({ receivedAt }: Body) => Math.floor(receivedAt.getTime() / hourMs)

/** The next group: the first body of each key, since frames of a board are stored in sequence, and bodies of one hour. */
function nextGroup(
  waiting: readonly Waiting[],
  { mostFrames, mostOfBody }: { mostFrames: number; mostOfBody: number },
): Waiting[] {
  const keys = new Set<string>()
  let frames = 0
  const hour = waiting[0] && hourOf(waiting[0].body)
  return waiting.filter(({ body, stored }) => {
    if (hourOf(body) !== hour || keys.has(body.keyHash)) return false
    keys.add(body.keyHash)
    const own = Math.min(body.frames.length - stored, mostOfBody)
    if (keys.size > mostBodies || (frames > 0 && frames + own > mostFrames)) return false
    frames += own
    return true
  })
}

/** The next piece of a body. One of a stream stays whole: its position moves with all of its frames. */
function pieceOf({ body, stored }: Waiting, { decoder }: IngestTools, most: number): Body {
  const { frames, sentAtMs, receivedAt } = body
  if (frames.length <= most || body.position) return body
  const isClockSound =
    body.piece?.isClockSound ??
    isSoundClock(
      sentAtMs,
      frames.map((frame) => decoder.identify(frame)?.deviceTime),
      receivedAt,
    )
  const to = stored + most
  return { ...body, frames: frames.slice(stored, to), piece: { from: stored, isLast: to >= frames.length, isClockSound } }
}

/** The answer for the pieces of a body so far. */
function sumOf(before: Ingested | undefined, next: Ingested, from: number): Ingested {
  if (!before) return next
  const refused = [...before.refused, ...next.refused.map((one) => ({ ...one, index: from + one.index }))]
  return {
    ...next,
    accepted: before.accepted + next.accepted,
    invalid: before.invalid + next.invalid,
    duplicate: before.duplicate + next.duplicate,
    refused: refused.slice(0, mostRefused),
  }
}

/** Stores bodies, one transaction at a time. */
class Lane {
  readonly #tools: IngestTools
  readonly #limits: (typeof limits)[Database['kind']]
  #waiting: Waiting[] = []
  #isBusy = false
  #wasShared = false

  constructor(tools: IngestTools) {
    this.#tools = tools
    this.#limits = limits[tools.context.database.kind]
  }

  add(waiting: Waiting): void {
    this.#waiting.push(waiting)
    if (!this.#isBusy) void this.#work()
  }

  async #work(): Promise<void> {
    this.#isBusy = true
    while (this.#waiting.length > 0) {
      await (this.#wasShared && this.#waiting.length < mostBodies ? delay(gatherMs) : nextTurn())
      const group = nextGroup(this.#waiting, this.#limits)
      this.#waiting = this.#waiting.filter((one) => !group.includes(one))
      this.#wasShared = group.length > 1
      await this.#store(group)
    }
    this.#isBusy = false
  }

  #count({ accepted, invalid, duplicate }: Ingested): void {
    for (const [outcome, amount] of Object.entries({ accepted, invalid, duplicate }))
      this.#tools.context.metrics.frames.inc({ outcome }, amount)
  }

  /** Answers a body of which all is stored. The rest of another one follows those of other boards, and goes before further ones of its own. */
  #settle(one: Waiting, piece: Body, ingested: Ingested): void {
    this.#count(ingested)
    one.sum = sumOf(one.sum, ingested, one.stored)
    one.stored += piece.frames.length
    if (!piece.piece || piece.piece.isLast) return one.resolve(one.sum)
    one.body = { ...one.body, piece: piece.piece }
    const isOwn = ({ body }: Waiting) => body.keyHash === one.body.keyHash
    this.#waiting = [...this.#waiting.filter((other) => !isOwn(other)), one, ...this.#waiting.filter(isOwn)]
  }

  /** A failed group is retried body by body, so that one board's frames never fail another's. */
  async #store(group: readonly Waiting[]): Promise<void> {
    const rest: Waiting[] = []
    try {
      const pieces = new Map(group.map((one) => [one, pieceOf(one, this.#tools, this.#limits.mostOfBody)]))
      const ingested = await ingestBodies(this.#tools, [...pieces.values()])
      for (const [one, piece] of pieces) {
        const answer = ingested.get(piece)
        if (answer) this.#settle(one, piece, answer)
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
 * size. A body is answered when all of it is committed; a board that hears nothing sends it again, and what is stored is known.
 * Bodies of a key use the same lane and stay in order.
 */
export class GroupCommit {
  readonly #lanes: readonly Lane[]

  constructor(tools: IngestTools) {
    const { lanes } = limits[tools.context.database.kind]
    this.#lanes = Array.from({ length: lanes }, () => new Lane(tools))
  }

  store(body: Body): Promise<Ingested> {
    const lane = this.#lanes[Buffer.from(body.keyHash, 'base64url').readUInt32LE() % this.#lanes.length] ?? this.#lanes[0]
    return new Promise((resolve, reject) => lane?.add({ body, stored: 0, sum: undefined, resolve, reject }))
  }
}
