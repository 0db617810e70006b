import { advanceRollouts } from '#server/fleet/firmware/rollouts/advance-rollouts.ts'
import { advanceUpdates } from '#server/fleet/firmware/updates/advance-updates.ts'
import { observeUpdates } from '#server/fleet/firmware/updates/observe-updates.ts'
import type { FrameObserver } from '#server/fleet/ingest/ingest-frames.ts'
import { encodeFrame } from '#server/frames/encode-frame.ts'
import { healthy, telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { type BoardServer, openBoardServer, type TestBoard } from './board-server.ts'
import type { TestEngine } from './databases.ts'

export type TestUpdate = Record<string, unknown> & { id: string; status: string; events: Record<string, unknown>[] }
type Role = 'admin' | 'moderator' | 'service_engineer'

/** The version that boards begin with, and the one that they are asked to install. */
export const oldVersion = '2.1.3'
export const nextVersion = '2.2.0'
/** Firmware `nextVersion`, and a 2.3.0 that is still under test. */
export const releasedId = '01890000-0000-7000-8000-0000000000f1'
export const testingId = '01890000-0000-7000-8000-0000000000f2'

/** A board that reports, is asked to update, and says how it goes. */
export class UpdatingBoard {
  readonly server: BoardServer
  readonly board: TestBoard
  #seq = 0

  constructor(server: BoardServer, board: TestBoard) {
    this.server = server
    this.board = board
  }

  /** A server that follows updates and has both firmwares. */
  static async openServer(engine: TestEngine, observers: readonly FrameObserver[] = [observeUpdates]): Promise<BoardServer> {
    const server = await openBoardServer(engine, { at: new Date(), ingest: { observers } })
    for (const [id, version, status] of [
      [releasedId, nextVersion, 'RELEASED'],
      [testingId, '2.3.0', 'TESTING'],
    ]) {
      await server.rows(`insert into "firmware" ("id", "firmwareVersion", "hardwareRevisions", "minFromVersion", "status", "file")
        values ('${id}', '${version}', '["B1"]', '2.0.0', '${status}',
          jsonb_build_object('sha256', encode(sha256('${version}'::bytea), 'hex'), 'sizeBytes', 1000))`)
      await server.rows(`insert into "firmwareFile" ("firmwareId", "content") values ('${id}', '${version}')`)
    }
    return server
  }

  /** A new board that has reported once. */
  static async add(server: BoardServer): Promise<UpdatingBoard> {
    const made = new UpdatingBoard(server, await server.addBoard())
    await made.report()
    return made
  }

  async report(firmwareVersion = oldVersion, values = {}): Promise<void> {
    const facts = { seq: ++this.#seq, time: this.server.now, uid: this.board.uid }
    const { status, text } = await this.server.send(this.board, telemetryFrame({ ...values, firmwareVersion }, facts))
    if (status !== 202) throw new Error(text)
  }
  async says(type: 'FW_PROGRESS' | 'BOOT', values: Record<string, string | number | null>): Promise<void> {
    const status = { firmwareVersion: oldVersion, transport: 'LTE', uptimeS: healthy.uptimeS, rebootCount: 4 }
    const facts = { type, seq: ++this.#seq, uid: this.board.uid, time: this.server.now }
    await this.server.send(this.board, encodeFrame({ ...facts, values: { ...status, ...values } }))
  }
  progress = (id: string, state: string, more = {}) =>
    this.says('FW_PROGRESS', { updateId: id, state, progressPct: 50, toVersion: nextVersion, ...more })
  async install(id: string): Promise<void> {
    for (const state of ['DOWNLOADING', 'VERIFYING', 'INSTALLING', 'REBOOTING']) await this.progress(id, state)
  }

  /** The next version of what the board is asked to do. */
  wish = (desired: object) =>
    this.server.rows(`insert into "configuration" ("controlPcbId", "version", "desired")
      select '${this.board.id}', coalesce(max("version"), 0) + 1, '${JSON.stringify(desired)}' from "configuration"
        where "controlPcbId" = '${this.board.id}'`)
  /** Firmware version that the board reports. */
  runsWith = (reported: object | null) =>
    this.server.rows(
      `update "boardState" set "reported" = ${reported && `'${JSON.stringify(reported)}'`} where "controlPcbId" = '${this.board.id}'`,
    )

  request = (more = {}, role: Role = 'admin') => {
    const body = { controlPcbId: this.board.id, firmwareId: releasedId, ...more }
    return this.server.call<TestUpdate>('POST', 'firmware-update', { body, role })
  }
  /** The same; a refusal fails the test. */
  async requested(more = {}): Promise<TestUpdate> {
    const { status, body, text } = await this.request(more)
    if (status !== 201) throw new Error(text)
    return body
  }
  shown = async (id: string) => (await this.server.call<TestUpdate>('GET', `firmware-update/${id}`)).body
  statusOf = async (id: string) => (await this.shown(id)).status
  advance = () => advanceUpdates(this.server.database, this.server.now)
  /** Rollouts ask the boards of their wave. */
  lead = () => advanceRollouts(this.server.database, this.server.now)
}
