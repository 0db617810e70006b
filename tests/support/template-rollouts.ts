import { encodeFrame } from '#server/frames/encode-frame.ts'
import { healthy } from '#tests/server/frames/sample-frames.ts'
import type { BoardServer } from './board-server.ts'
import { UpdatingBoard } from './updating-board.ts'

type Progress = Record<'boards' | 'waiting' | 'open' | 'succeeded' | 'failed' | 'skipped', number>
type Shown = { status: string; statusReason: string | null; wave: number; subject: string; progress: Progress }
type BoardShown = Record<'controlPcbId' | 'state', string> &
  Record<'reason' | 'failure' | 'rejectReason', string | null> & { configVersion: number | null }
type NextVersion = { version: number; desired: Record<string, unknown> }

/** Settings that each board begins with. */
const usual = { reportIntervalS: 60, socMinPct: 10, socMaxPct: 90, backupReservePct: 20 }

/** Rollouts of configuration templates, with boards that are played over the device API. */
export class TemplateRollouts {
  readonly #server: BoardServer
  readonly #prefix: string
  #count = 0

  constructor(server: BoardServer, prefix = 'WAVE') {
    this.#server = server
    this.#prefix = prefix
  }

  /** Boards that report, run with the usual settings, and are to. */
  async boards(count: number): Promise<UpdatingBoard[]> {
    const made: UpdatingBoard[] = []
    for (let one = 0; one < count; one++) {
      const unit = await UpdatingBoard.add(this.#server)
      await this.wish(unit.board.id, {})
      await this.#server.rows(`update "boardState" set "reportedVersion" = 1, "lastPacketAt" = now(), "lastValidPacketAt" = now()
        where "controlPcbId" = '${unit.board.id}'`)
      made.push(unit)
    }
    return made
  }

  async template(settings: object, more: object = {}): Promise<string> {
    const body = { code: `${this.#prefix}-${++this.#count}`, name: 'Winter', settings, ...more }
    const { status, body: made, text } = await this.#server.call<{ id: string }>('POST', 'configuration-template', { body })
    if (status !== 201) throw new Error(text)
    return made.id
  }

  async started(values: object): Promise<string> {
    const { body, status, text } = await this.#server.call<{ id: string }>('POST', 'rollout', {
      body: { name: 'Settings', brings: 'CONFIGURATION', ...values },
    })
    if (status !== 201) throw new Error(text)
    const start = await this.#server.call('PUT', `rollout/${body.id}/start`)
    if (start.status !== 200) throw new Error(start.text)
    return body.id
  }

  /** A rollout of a new template to new boards: one first, then all, without a time to watch. */
  async begun(count: number, waves: object[] = [{ boards: 1 }, { sharePct: 100 }]) {
    const units = await this.boards(count)
    const templateId = await this.template({ socMinPct: 15 })
    const quick = waves.map((wave) => ({ soakMin: 0, successPct: 50, ...wave }))
    const id = await this.started({ templateId, controlPcbIds: units.map(({ board }) => board.id), waves: quick })
    return { id, units, templateId }
  }

  lead = () => new UpdatingBoard(this.#server, { id: '', uid: '', key: '', essId: null }).lead()
  shown = async (id: string) => (await this.#server.call<Shown>('GET', `rollout/${id}`)).body
  boardsOf = async (id: string) => (await this.#server.call<BoardShown[]>('GET', `rollout/${id}/boards`)).body
  underWay = async (id: string) =>
    (await this.boardsOf(id)).flatMap(({ state, controlPcbId }) => (state === 'UNDER_WAY' ? [controlPcbId] : []))
  stateOf = async (id: string, { board }: UpdatingBoard) =>
    (await this.boardsOf(id)).find(({ controlPcbId }) => controlPcbId === board.id)?.state

  unitOf(units: readonly UpdatingBoard[], id: string | undefined): UpdatingBoard {
    const unit = units.find(({ board }) => board.id === id)
    if (!unit) throw new Error('no such board was asked')
    return unit
  }

  /** The next version of what a board is to run with, as a person wishes it. */
  wish = (id: string | undefined, settings: object) =>
    this.#server.rows(`insert into "configuration" ("controlPcbId", "version", "desired")
      select '${id}', coalesce(max("version"), 0) + 1, '${JSON.stringify({ ...usual, ...settings })}'::jsonb from "configuration"
        where "controlPcbId" = '${id}'`)

  async wishOf({ board }: UpdatingBoard): Promise<NextVersion> {
    const [wish] = await this.#server.rows<NextVersion>(`select "version"::int, "desired" from "configuration"
      where "controlPcbId" = '${board.id}' order by "version" desc limit 1`)
    if (!wish) throw new Error('the board has no configuration')
    return wish
  }

  /** The board answers the newest version as devices do. */
  async answers(
    unit: UpdatingBoard,
    result: 'APPLIED' | 'REJECTED',
    rejectReason?: string,
    configuration?: Record<string, number>,
  ): Promise<void> {
    const { version } = await this.wishOf(unit)
    const values = {
      firmwareVersion: '2.1.3',
      transport: 'LTE',
      uptimeS: healthy.uptimeS,
      rebootCount: 4,
      configVersion: version,
      result,
      ...(rejectReason ? { rejectReason } : {}),
      ...(configuration ? { configuration } : {}),
    }
    const facts = { type: 'CONFIG_ACK', seq: 1_000 + version, uid: unit.board.uid, time: this.#server.now } as const
    const { status, text } = await this.#server.send(unit.board, encodeFrame({ ...facts, values }))
    if (status !== 202) throw new Error(text)
  }
}
