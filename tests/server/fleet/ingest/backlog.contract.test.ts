import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hashOfKey } from '#server/fleet/board/device-key.ts'
import { observeUpdates } from '#server/fleet/firmware/updates/observe-updates.ts'
import { observeSamples } from '#server/fleet/warning/observe-samples.ts'
import { encodeFrame, type FrameToEncode } from '#server/frames/encode-frame.ts'
import type { FrameType } from '#server/frames/frame-layout.ts'
import { healthy, telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { countedEngine } from '#tests/support/counted-engine.ts'
import { engines } from '#tests/support/databases.ts'
import { nextVersion, oldVersion, UpdatingBoard } from '#tests/support/updating-board.ts'
import { bitsOf, troubles } from '#tests/support/warned-board.ts'

const frames = 500

describe.each(engines)('a backlog of 500 frames on $name', (engine) => {
  const { engine: counted, count } = countedEngine(engine)
  let server: BoardServer
  let updating: UpdatingBoard
  let seq: number
  beforeAll(async () => {
    server = await UpdatingBoard.openServer(counted, [observeUpdates, observeSamples])
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    server.pass(86_400)
    updating = await UpdatingBoard.add(server)
    seq = 100
  })

  /** Frames that the board has kept, a minute apart; the newest is of now. */
  const kept = (many: number, frame: (facts: { seq: number; time: Date; uid: string }, index: number) => Buffer) =>
    Array.from({ length: many }, (_, index) => {
      const time = new Date(server.now.getTime() - (many - 1 - index) * 60_000)
      return frame({ seq: ++seq, time, uid: updating.board.uid }, index)
    })
  const of =
    <T extends FrameType>(type: T, values: FrameToEncode<T>['values']) =>
    (many: number) =>
      kept(many, (facts) => encodeFrame({ ...facts, type, values: { firmwareVersion: nextVersion, ...values } }))
  const samples = (values: Parameters<typeof telemetryFrame>[0]) => (many: number) =>
    kept(many, (facts) => telemetryFrame(values, facts))

  /** Statements that a body costs. */
  async function costOf(body: readonly Buffer[]): Promise<number> {
    const before = count()
    const { status, body: answer, text } = await server.send(updating.board, ...body)
    expect([status, answer.accepted], text).toEqual([202, body.length])
    return count() - before
  }
  const heartbeats = of('HEARTBEAT', {})
  const begun = async (...states: string[]) => {
    const { id } = await updating.requested()
    for (const state of states) await updating.progress(id, state)
    return id
  }
  const confirming = async () => {
    const id = await begun('INSTALLING', 'REBOOTING')
    await updating.says('BOOT', { firmwareVersion: nextVersion })
    return id
  }

  it.each<[string, () => Promise<unknown>, (many: number) => Buffer[]]>([
    ['of a board without an update', async () => undefined, heartbeats],
    ['of a board whose update waits', () => begun(), of('HEARTBEAT', { firmwareVersion: oldVersion })],
    ['of a board that installs', () => begun('INSTALLING'), of('HEARTBEAT', { firmwareVersion: oldVersion })],
    ['of a board that restarts', () => begun('INSTALLING', 'REBOOTING'), of('HEARTBEAT', { firmwareVersion: oldVersion })],
    ['of a board whose new version is confirmed', confirming, heartbeats],
    [
      'that report an unknown update',
      () => begun(),
      of('FW_PROGRESS', { updateId: '01890000-0000-7000-8000-00000000abcd', state: 'DOWNLOADING' }),
    ],
    [
      'that answer a configuration',
      () => updating.wish({ reportIntervalS: 30 }),
      of('CONFIG_ACK', { configVersion: 1, result: 'APPLIED' }),
    ],
    [
      'that refuse a configuration',
      () => updating.wish({ reportIntervalS: 30 }),
      of('CONFIG_ACK', { configVersion: 1, result: 'REJECTED', rejectReason: 'no' }),
    ],
    [
      'of a board with an open rotation of its key',
      () =>
        server.rows(`update "deviceKey" set "nextHash" = '${hashOfKey(`next-${updating.board.id}`)}', "nextAt" = now()
        where "controlPcbId" = '${updating.board.id}'`),
      heartbeats,
    ],
    ['of a board whose warning lasts', async () => costOf(samples(troubles.door)(1)), samples(troubles.door)],
    [
      'that tell of a flag again',
      async () => costOf(samples(troubles.door)(1)),
      of('EVENT', { ...healthy, eventFlags: bitsOf('DOOR_OPEN'), raisedFlags: bitsOf('DOOR_OPEN'), clearedFlags: 0 }),
    ],
  ])('%s costs as many statements as one of them', async (_kind, prepare, framesOf) => {
    await prepare()
    server.pass(60)
    const one = await costOf(framesOf(1))
    server.pass(frames * 60)
    expect(await costOf(framesOf(frames))).toBeLessThanOrEqual(one + 5)
  })

  it('in which a warning lasts is seen until its last frame', async () => {
    await costOf(samples(troubles.door)(1))
    server.pass(frames * 60)
    await costOf(samples(troubles.door)(frames))
    const [warning] = await server.rows<{ lastSeenAt: string }>(
      `select "lastSeenAt" from "telemetry_warning" where "controlPcbId" = '${updating.board.id}' and "code" = 'DOOR_OPEN'`,
    )
    expect(server.now.getTime() - Date.parse(String(warning?.lastSeenAt))).toBeLessThan(60_000)
  })

  it('of the progress of an update costs as many statements as one of them', async () => {
    const id = await begun('DOWNLOADING')
    const progress = (many: number) =>
      kept(many, (facts, index) =>
        encodeFrame({
          ...facts,
          type: 'FW_PROGRESS',
          values: {
            firmwareVersion: oldVersion,
            updateId: id,
            state: 'DOWNLOADING',
            progressPct: 50,
            receivedB: 1_000 + index,
          },
        }),
      )
    const one = await costOf(progress(1))
    server.pass(frames * 60)
    expect(await costOf(progress(frames))).toBeLessThanOrEqual(one + 5)
    expect(await updating.shown(id)).toMatchObject({ status: 'DOWNLOADING', bytesSent: 1_000 + frames - 1 })
  })
})
