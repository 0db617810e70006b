import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { encodeFrame, type FrameToEncode } from '#server/frames/encode-frame.ts'
import type { FrameType } from '#server/frames/frame-layout.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { nextVersion, oldVersion, UpdatingBoard } from '#tests/support/updating-board.ts'

describe.each(oneEngine(import.meta.filename))('frames of one body on $name', (engine) => {
  let server: BoardServer
  let updating: UpdatingBoard
  let seq: number
  beforeAll(async () => {
    server = await UpdatingBoard.openServer(engine)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    updating = await UpdatingBoard.add(server)
    seq = 100
  })

  const frame = <T extends FrameType>(type: T, values: FrameToEncode<T>['values']) =>
    encodeFrame({ type, seq: ++seq, uid: updating.board.uid, time: server.now, values })
  const beat = (firmwareVersion: string) => frame('HEARTBEAT', { firmwareVersion })
  const send = async (...frames: Buffer[]) =>
    expect((await server.send(updating.board, ...frames)).body).toMatchObject({ accepted: frames.length })
  const coursesOf = (events: Record<string, unknown>[]) => events.map(({ to }) => to)
  async function restarting(): Promise<string> {
    const { id } = await updating.requested()
    await updating.install(id)
    return id
  }

  it('confirm an update as often as they tell its version', async () => {
    const id = await restarting()
    await send(frame('BOOT', { firmwareVersion: nextVersion }), beat(nextVersion), beat(nextVersion), beat(nextVersion))
    expect(await updating.shown(id)).toMatchObject({ status: 'CONFIRMING', confirmedPackets: 4, progressPct: 100 })
    await send(beat(nextVersion), beat(nextVersion))
    expect(await updating.shown(id)).toMatchObject({ confirmedPackets: 6 })
    server.pass(601)
    await updating.advance()
    expect(await updating.statusOf(id)).toBe('SUCCEEDED')
  })

  it('roll an update back when the old version follows the new one, whatever comes after it', async () => {
    const id = await restarting()
    await send(beat(nextVersion), beat(nextVersion), beat(oldVersion), beat(nextVersion))
    const shown = await updating.shown(id)
    expect(shown).toMatchObject({ status: 'ROLLED_BACK', confirmedPackets: 2, finishedAt: server.now.toISOString() })
    expect(coursesOf(shown.events).slice(-2)).toEqual(['CONFIRMING', 'ROLLED_BACK'])
  })

  it('do not roll an update back when the old version comes before the new one', async () => {
    const id = await restarting()
    await send(beat(oldVersion), beat(oldVersion), beat(nextVersion))
    expect(await updating.shown(id)).toMatchObject({ status: 'CONFIRMING', confirmedPackets: 1 })
  })

  it('report an update step by step, and each that does not fit is noted', async () => {
    const { id } = await updating.requested()
    const says = (state: string, more = {}) =>
      frame('FW_PROGRESS', { firmwareVersion: oldVersion, updateId: id, state, toVersion: nextVersion, ...more })
    await send(
      says('DOWNLOADING', { progressPct: 10, receivedB: 100 }),
      says('DOWNLOADING', { progressPct: 40, receivedB: 400 }),
      says('VERIFYING', {}),
      says('DOWNLOADING', { progressPct: 50, receivedB: 500 }),
      says('FAILED', { failure: 'FLASH' }),
      says('FAILED', { failure: 'FLASH' }),
    )
    const shown = await updating.shown(id)
    expect(shown).toMatchObject({ status: 'FAILED', failureCode: 'FLASH', progressPct: 40, bytesSent: 400 })
    expect(coursesOf(shown.events)).toEqual(['QUEUED', 'DOWNLOADING', 'VERIFYING', 'FAILED'])
    const packets = await server.rows<{ reason: string[]; reasons: { code: string; field: string; actual: string }[] }>(
      `select "reason", "reasons" from "package" where "controlPcbId" = '${updating.board.id}' and "type" = 'FW_PROGRESS' order by "seq"`,
    )
    const noted = packets.map(({ reasons }) => reasons.find(({ code }) => code === 'UPDATE_STATE')?.field ?? null)
    expect(noted).toEqual([null, null, null, 'state', null, 'updateId'])
    expect(packets.map(({ reason }) => reason.includes('UPDATE_STATE'))).toEqual(noted.map((field) => field !== null))
  })

  const answers = (...told: FrameToEncode<'CONFIG_ACK'>['values'][]) =>
    send(...told.map((values) => frame('CONFIG_ACK', { firmwareVersion: oldVersion, ...values })))
  const reported = async () => {
    const [state] = await server.rows<{ reported: Record<string, unknown> }>(
      `select "reported" from "boardState" where "controlPcbId" = '${updating.board.id}'`,
    )
    return state?.reported
  }

  it('answer several versions of a configuration, each for itself, and the last answer to one counts', async () => {
    for (const reportIntervalS of [20, 30, 40]) await updating.wish({ reportIntervalS })
    await answers(
      { configVersion: 1, result: 'APPLIED' },
      { configVersion: 2, result: 'APPLIED' },
      { configVersion: 3, result: 'REJECTED', rejectReason: 'busy' },
      { configVersion: 2, result: 'REJECTED', rejectReason: 'no' },
    )
    const outcomes = await server.rows(
      `select "outcome", "outcomeReason" as "why" from "configuration" where "controlPcbId" = '${updating.board.id}' order by "version"`,
    )
    expect(outcomes).toEqual([
      { outcome: 'APPLIED', why: null },
      { outcome: 'REJECTED', why: 'no' },
      { outcome: 'REJECTED', why: 'busy' },
    ])
    expect(await reported()).toEqual({ reportIntervalS: 30 })
  })

  it('tell the values that a board runs with, by the last answer that tells them', async () => {
    for (const reportIntervalS of [20, 30]) await updating.wish({ reportIntervalS })
    const [applied, told] = [
      { configVersion: 1, result: 'APPLIED' },
      { configVersion: 2, result: 'APPLIED', configuration: { reportIntervalS: 31 } },
    ]
    await answers(applied, told)
    expect(await reported()).toEqual({ reportIntervalS: 31 })
    await answers(told, applied)
    expect(await reported()).toEqual({ reportIntervalS: 20 })
  })
})
