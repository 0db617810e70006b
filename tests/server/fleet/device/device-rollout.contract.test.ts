import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { advanceRollouts } from '#server/fleet/firmware/rollouts/advance-rollouts.ts'
import { advanceUpdates } from '#server/fleet/firmware/updates/advance-updates.ts'
import { encodeFrame } from '#server/frames/encode-frame.ts'
import { healthy, telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import type { BoardServer, TestBoard } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { addImage, callAs, openLine } from '#tests/support/device-line.ts'

const [oldVersion, newVersion] = ['2.1.3', '2.2.0']
const steps = ['DOWNLOADING', 'VERIFYING', 'INSTALLING', 'REBOOTING']

type Offer = { id: string; version: string; sizeB: number } | null
type Shown = { status: string; statusReason: string | null; wave: number; progress: Record<string, number> }

describe.each(oneEngine(import.meta.filename))('a rollout to boards that speak the device API on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await openLine(engine)
  })
  afterAll(() => server.close())

  let seq = 0
  const frames = (board: TestBoard, ...sent: Buffer[]) => callAs(server, board.key, 'frames', { body: Buffer.concat(sent) })
  const report = ({ uid }: TestBoard, firmwareVersion: string) =>
    telemetryFrame({ firmwareVersion }, { seq: ++seq, time: server.now, uid })
  const boot = ({ uid }: TestBoard) => {
    const { transport, uptimeS } = healthy
    const values = { firmwareVersion: newVersion, transport, uptimeS, rebootCount: 4, resetReason: 'FW_UPDATE' }
    return encodeFrame({ type: 'BOOT', seq: ++seq, uid, time: server.now, values })
  }
  const offerTo = async (board: TestBoard) => (await callAs(server, board.key, 'state')).body.update as Offer
  async function restart(board: TestBoard): Promise<void> {
    const offer = await offerTo(board)
    if (!offer) throw new Error('nothing is offered')
    for (const state of steps) {
      const { status } = await callAs(server, board.key, `updates/${offer.id}`, { body: { state } })
      expect(status).toBe(204)
      if (state !== 'DOWNLOADING') continue
      expect((await callAs(server, board.key, `firmware/${offer.id}`)).bytes).toHaveLength(offer.sizeB)
    }
  }
  async function comeBack(board: TestBoard): Promise<void> {
    await frames(board, boot(board))
    for (let packets = 0; packets < 3; packets++) {
      server.pass(1)
      await frames(board, report(board, newVersion))
    }
  }
  const step = async () => {
    await advanceUpdates(server.database, server.now)
    await advanceRollouts(server.database, server.now)
  }
  const shown = async (id: string) => (await server.call<Shown>('GET', `rollout/${id}`)).body

  it('stops by itself where 8 of 100 never come back, says why, tells the people on duty, and offers it to nobody else', async () => {
    const { id: firmwareId } = await addImage(server, newVersion, 500)
    await server.rows(`insert into "user" ("id", "email", "role", "firstName", "lastName", "notificationPrefs")
      values ('on-duty', 'on-duty@example.com', 'moderator', 'Ann', 'Lee', '{"email": "CRITICAL"}')`)
    const boards: TestBoard[] = []
    for (let count = 0; count < 102; count++) boards.push(await server.addBoard())
    for (const board of boards) expect((await frames(board, report(board, oldVersion))).status).toBe(202)
    const waves = [{ boards: 100, soakMin: 60, successPct: 90, maxFailures: 3 }, { sharePct: 100 }]
    const body = { name: 'Autumn', firmwareId, controlPcbIds: boards.map(({ id }) => id), waves }
    const { body: made } = await server.call<{ id: string }>('POST', 'rollout', { body })
    expect((await server.call('PUT', `rollout/${made.id}/start`)).status).toBe(200)
    for (let rounds = 0; rounds < 3; rounds++) await step()

    const offers = await Promise.all(boards.map(offerTo))
    const asked = boards.filter((_, index) => offers[index])
    const waiting = boards.filter((_, index) => !offers[index])
    expect([asked.length, waiting.length]).toEqual([100, 2])
    for (const board of asked) await restart(board)
    for (const board of asked.slice(8)) await comeBack(board)
    for (let minutes = 0; minutes < 90; minutes += 5) {
      server.pass(300)
      await step()
    }

    const { status, statusReason, wave, progress } = await shown(made.id)
    expect({ status, wave }).toEqual({ status: 'PAUSED', wave: 1 })
    expect(statusReason).toMatch(/^Wave 1: \d of 100 boards failed/)
    expect(progress).toMatchObject({ succeeded: 92, failed: 8, open: 0, waiting: 2 })
    expect(await Promise.all(boards.map(offerTo))).toEqual(boards.map(() => null))
    const told = await server.rows<{ userId: string; note: { title: string[]; body: string[] } }>(
      `select "userId", "note" from "event" where "note"->>'link' = '/rollout/${made.id}'`,
    )
    expect(told.map(({ userId }) => userId)).toContain('on-duty')
    expect(told[0]?.note.body[0]).toContain('of 100 boards failed')
    expect(await server.rows(`select "mail"->>'to' as "to" from "mailJob"`)).toEqual([{ to: 'on-duty@example.com' }])
  }, 180_000)
})
