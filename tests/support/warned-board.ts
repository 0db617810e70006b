import { warnings } from '#resources/fleet/warnings/warnings.ts'
import { observeSamples } from '#server/fleet/warning/observe-samples.ts'
import { type TelemetryValues, telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { type BoardServer, openBoardServer, type TestBoard } from './board-server.ts'
import type { TestEngine } from './databases.ts'

export type TestWarning = Record<string, unknown> & { id: string; code: string }

/** What a board reports when something is wrong. */
export const troubles = {
  insulation: { eventFlags: 2 ** warnings.INSULATION_FAULT.flag.bit },
  door: { eventFlags: 2 ** warnings.DOOR_OPEN.flag.bit },
  hot: { cellTempMinC: 45, cellTempAvgC: 46, cellTempMaxC: 47 },
  veryHot: { cellTempMinC: 55, cellTempAvgC: 56, cellTempMaxC: 57 },
} as const satisfies Record<string, TelemetryValues>

/** A board whose samples raise warnings. */
export class WarnedBoard {
  readonly server: BoardServer
  readonly board: TestBoard
  #seq = 0

  constructor(server: BoardServer, board: TestBoard) {
    this.server = server
    this.board = board
  }

  static openServer = (engine: TestEngine): Promise<BoardServer> =>
    openBoardServer(engine, { at: new Date(), ingest: { observers: [observeSamples] } })

  static add = async (server: BoardServer): Promise<WarnedBoard> => new WarnedBoard(server, await server.addBoard())

  /** Lets time pass, and a sample come; `clock`: what the board takes the time for. */
  async see(afterS: number, values: TelemetryValues, clock?: Date): Promise<void> {
    this.server.pass(afterS)
    const facts = { seq: ++this.#seq, time: clock ?? this.server.now, uid: this.board.uid }
    const { status, text } = await this.server.send(this.board, telemetryFrame(values, facts))
    if (status !== 202) throw new Error(text)
  }
  open = async () =>
    (await this.server.call<TestWarning[]>('GET', `telemetry-warning?controlPcbId=${this.board.id}&_sort=code&_order=asc`)).body
  /** The one that there is. */
  async only(): Promise<TestWarning> {
    const [warning, ...others] = await this.open()
    if (!warning || others.length > 0) throw new Error(`there are ${others.length + (warning ? 1 : 0)} warnings`)
    return warning
  }
  act = (verb: string, id: string, body: object, role: 'admin' | 'service_engineer' | 'client' = 'admin') =>
    this.server.call(verb === 'comment' ? 'POST' : 'PUT', `telemetry-warning/${id}/${verb}`, { body, role })
  ess = async () => (await this.server.call('GET', `ess/${this.board.essId}`)).body
  noticesOf = (id: string) => this.server.rows(`select * from "warningNotice" where "warningId" = '${id}'`)
}
