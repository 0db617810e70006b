import { dayMs } from '#schema/format/durations.ts'
import type { Api, ServerContext } from '#server/base/context.ts'
import { readWanted } from './downlink.ts'
import { faultsSince } from './fault-store.ts'
import { type Fleet, keepCheckpoints } from './load-fleet.ts'
import type { Checkpoint } from './running-plant.ts'
import type { SimulatedBoard } from './simulated-board.ts'

/** Boards that may speak in one turn: the rest waits for the next, so that a slow machine falls behind softly. */
const mostPerTurn = 40
const listenEveryMs = 4_000

/** Plays the boards: posts their frames to the server's own ingest and delivers the server's requests. */
export class LiveFleet {
  readonly #api: Api
  readonly #context: ServerContext
  readonly #fleet: Fleet
  readonly #waiting: Set<string>
  #heardMs = 0
  #isEnded = false
  #day: number

  constructor(api: Api, context: ServerContext, fleet: Fleet) {
    this.#api = api
    this.#context = context
    this.#fleet = fleet
    this.#waiting = new Set(fleet.isNew)
    this.#day = this.#today()
  }

  readonly #mainOf = (essId: string) => this.#fleet.boards.find(({ facts }) => facts.essId === essId && facts.role === 'MAIN')

  #today = () => Math.floor(this.#context.clock().getTime() / dayMs)

  /** The past of a site is written: its boards may speak. */
  begin(essId: string): void {
    this.#waiting.delete(essId)
  }

  /** Sends nothing more. */
  end(): void {
    this.#isEnded = true
  }

  async #send({ facts }: SimulatedBoard, frames: readonly Buffer[]): Promise<void> {
    const answer = await this.#api.inject({
      method: 'POST',
      url: '/api/ingest',
      remoteAddress: facts.ip,
      headers: { 'content-type': 'application/octet-stream', 'x-device-key': facts.key },
      payload: Buffer.concat(frames),
    })
    if (answer.statusCode !== 202 && !this.#isEnded)
      this.#context.log.warn({ status: answer.statusCode, controlPcbId: facts.id }, 'a frame of the demo fleet was refused')
  }

  /** Faults and wishes of the server, from time to time. */
  async #listen(nowMs: number): Promise<void> {
    if (nowMs - this.#heardMs < listenEveryMs) return
    this.#heardMs = nowMs
    const { kysely } = this.#context.database
    const faults = await faultsSince(kysely, nowMs - dayMs)
    const wanted = await readWanted(kysely, new Date(nowMs))
    for (const board of this.#fleet.boards) {
      board.faults = faults.get(board.facts.id) ?? []
      if (!board.isCutOff(nowMs))
        board.hear(wanted.get(board.facts.id) ?? { configuration: undefined, update: undefined }, nowMs)
    }
  }

  /** At the start of a day every plant is advanced and its state is stored. */
  async #turnOfDay(nowMs: number): Promise<void> {
    const today = this.#today()
    if (today === this.#day) return
    this.#day = today
    const passed: (Checkpoint & { essId: string })[] = []
    for (const [essId, plant] of this.#fleet.plants) {
      if (this.#waiting.has(essId)) continue
      const main = this.#mainOf(essId)
      const keep = (checkpoint: Checkpoint) => void passed.push({ essId, ...checkpoint })
      if (main) plant.runTo(nowMs, { operationAt: () => main.operation, faults: main.faults }, keep)
    }
    await keepCheckpoints(this.#context.database, passed)
  }

  /** Lets every board act that is due. */
  async turn(): Promise<void> {
    const nowMs = this.#context.clock().getTime()
    await this.#listen(nowMs)
    await this.#turnOfDay(nowMs)
    const due = this.#fleet.boards
      .filter(({ facts, dueMs }) => dueMs <= nowMs && !this.#waiting.has(facts.essId))
      .toSorted((a, b) => a.dueMs - b.dueMs)
    for (const board of due.slice(0, mostPerTurn)) {
      if (this.#isEnded) return
      const frames = board.act(nowMs)
      if (frames.length > 0) await this.#send(board, frames)
    }
  }
}
