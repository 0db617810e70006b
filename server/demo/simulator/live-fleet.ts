import { dayMs } from '#schema/format/durations.ts'
import type { Api, ServerContext } from '#server/base/context.ts'
import { BoardLine } from './board-line.ts'
import { faultsSince } from './fault-store.ts'
import { type Fleet, keepCheckpoints } from './load-fleet.ts'
import type { Checkpoint } from './running-plant.ts'
import type { SimulatedBoard } from './simulated-board.ts'

/** Boards per tick: the others wait for the next one, so that a slow machine degrades gracefully. */
const mostPerTurn = 40
const faultsEveryMs = 4_000
/**
 * Polling interval of the desired state, besides reports; longer in a large fleet, so that all boards together poll a few times
 * a second.
 */
const lookEveryMs = 10_000
const perBoardMs = 150

/** Simulates the boards: each calls the server with its key, as a real one does. */
export class LiveFleet {
  readonly #line: BoardLine
  readonly #context: ServerContext
  readonly #fleet: Fleet
  readonly #waiting: Set<string>
  readonly #lookedMs = new Map<SimulatedBoard, number>()
  #faultsMs = 0
  #isEnded = false
  #day: number

  constructor(api: Api, context: ServerContext, fleet: Fleet) {
    this.#line = new BoardLine(api)
    this.#context = context
    this.#fleet = fleet
    this.#waiting = new Set(fleet.isNew)
    this.#day = this.#today()
  }

  readonly #mainOf = (essId: string) => this.#fleet.boards.find(({ facts }) => facts.essId === essId && facts.role === 'MAIN')

  #today = () => Math.floor(this.#context.clock().getTime() / dayMs)

  /** A site's history is complete: its boards may report. */
  begin(essId: string): void {
    this.#waiting.delete(essId)
  }

  /** Stops sending. */
  end(): void {
    this.#isEnded = true
    this.#line.close()
  }

  async #look(board: SimulatedBoard, nowMs: number): Promise<void> {
    this.#lookedMs.set(board, nowMs)
    board.hear(await this.#line.state(board.facts.key), nowMs)
  }

  async #send(board: SimulatedBoard, frames: readonly Buffer[], nowMs: number): Promise<void> {
    const { id, key } = board.facts
    const { status, hasNews } = await this.#line.send(key, frames)
    if (status !== 202) this.#context.log.warn({ status, controlPcbId: id }, 'a frame of the demo fleet was refused')
    if (hasNews) await this.#look(board, nowMs)
  }

  async #act(board: SimulatedBoard, nowMs: number): Promise<void> {
    const part = board.partAt(nowMs)
    const bytes = part && (await this.#line.part(board.facts.key, part))
    if (bytes) board.take(bytes)
    const frames = board.act(nowMs)
    if (frames.length > 0) await this.#send(board, frames, nowMs)
  }

  async #readFaults(nowMs: number): Promise<void> {
    if (nowMs - this.#faultsMs < faultsEveryMs) return
    this.#faultsMs = nowMs
    const faults = await faultsSince(this.#context.database.kysely, nowMs - dayMs)
    for (const board of this.#fleet.boards) board.faults = faults.get(board.facts.id) ?? []
  }

  /** Boards that polled longest ago come first. */
  async #looks(nowMs: number): Promise<void> {
    const everyMs = Math.max(lookEveryMs, this.#fleet.boards.length * perBoardMs)
    const lookedMs = (board: SimulatedBoard) => this.#lookedMs.get(board) ?? 0
    const due = this.#fleet.boards
      .filter((board) => nowMs - lookedMs(board) >= everyMs && !board.isCutOff(nowMs) && !this.#waiting.has(board.facts.essId))
      .toSorted((a, b) => lookedMs(a) - lookedMs(b))
    for (const board of due.slice(0, mostPerTurn)) {
      if (this.#isEnded) return
      await this.#look(board, nowMs)
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

  /** Runs all due boards. */
  async tick(): Promise<void> {
    const nowMs = this.#context.clock().getTime()
    await this.#readFaults(nowMs)
    await this.#turnOfDay(nowMs)
    const due = this.#fleet.boards
      .filter(({ facts, dueMs }) => dueMs <= nowMs && !this.#waiting.has(facts.essId))
      .toSorted((a, b) => a.dueMs - b.dueMs)
    for (const board of due.slice(0, mostPerTurn)) {
      if (this.#isEnded) return
      await this.#act(board, nowMs)
    }
    await this.#looks(nowMs)
  }
}
