import type { FlagCode } from '#resources/fleet/warnings/warning-codes.ts'
import { warnings } from '#resources/fleet/warnings/warnings.ts'
import { observeSamples } from '#server/fleet/warning/observe-samples.ts'
import { encodeFrame, type FrameToEncode } from '#server/frames/encode-frame.ts'
import type { FrameType } from '#server/frames/frame-layout.ts'
import { healthy, type TelemetryValues, telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { type BoardServer, openBoardServer, type TestBoard } from './board-server.ts'
import type { TestEngine } from './databases.ts'

type EventValues = FrameToEncode<'EVENT'>['values']
export type TestWarning = Record<string, unknown> & { id: string; code: string }

/** Values that raise a warning. */
export const troubles = {
  insulation: { eventFlags: 2 ** warnings.INSULATION_FAULT.flag.bit },
  door: { eventFlags: 2 ** warnings.DOOR_OPEN.flag.bit },
  hot: { cellTempMinC: 45, cellTempAvgC: 46, cellTempMaxC: 47 },
  veryHot: { cellTempMinC: 55, cellTempAvgC: 56, cellTempMaxC: 57 },
} as const satisfies Record<string, TelemetryValues>

/** An event of nothing, by a healthy board. */
const noEvent = { ...healthy, raisedFlags: 0, clearedFlags: 0 }
/** The bits of some flags. */
export const bitsOf = (...codes: FlagCode[]): number => codes.reduce((sum, code) => sum + 2 ** warnings[code].flag.bit, 0)

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

  /** Lets time pass, and a sample come; `clock`: what the board takes the time for, and says when it sends. */
  async see(afterS: number, values: TelemetryValues, clock?: Date): Promise<void> {
    this.server.pass(afterS)
    await this.send(this.sample(values, clock), clock?.getTime())
  }
  /** Lets time pass, and an event come. */
  async hear(afterS: number, values: EventValues): Promise<void> {
    this.server.pass(afterS)
    await this.send(this.event(values))
  }
  async send(frame: Buffer, sentAtMs?: number): Promise<void> {
    const sender = sentAtMs === undefined ? this.board : { ...this.board, sentAtMs }
    const { status, text } = await this.server.send(sender, frame)
    if (status !== 202) throw new Error(text)
  }
  /** The next frames of the board, of now or of another time. */
  sample = (values: TelemetryValues, time = this.server.now) =>
    telemetryFrame(values, { seq: ++this.#seq, time, uid: this.board.uid })
  frame = <T extends FrameType>(type: T, values: FrameToEncode<T>['values'], time = this.server.now) =>
    encodeFrame({ type, seq: ++this.#seq, time, uid: this.board.uid, values })
  /** Now by a frame, whose clock has whole seconds, or so many ms later. */
  clockTime = (afterMs = 0) => new Date(Math.floor((this.server.now.getTime() + afterMs) / 1000) * 1000).toISOString()
  event = (values: EventValues, time?: Date) => this.frame('EVENT', { ...noEvent, ...values }, time)
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
  noticesOf = (id: string) => this.server.rows(`select * from "warningNotice" where "warningId" = '${id}' order by "id"`)
}
