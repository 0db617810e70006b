import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { canKillPrograms, killableNats, killablePostgres } from '#tests/support/killable-programs.ts'
import { ServerProcess } from '#tests/support/server-process.ts'

type Board = { id: string; uid: string; key: string; seq: number; acknowledged: number[]; refusals: number[] }
type Killable = Awaited<ReturnType<typeof killableNats>>

const boardCount = 12
/** A key may call 600 times a minute, its repetitions among them. */
const betweenCallsMs = 150

describe.runIf(canKillPrograms)('frames that wait in a stream', () => {
  let [nats, postgres]: (Killable | undefined)[] = []
  let [accepting, working]: (ServerProcess | undefined)[] = []
  const boards: Board[] = []
  const running = <T>(one: T | undefined): T => {
    if (!one) throw new Error('it was never started')
    return one
  }
  const env = (isWorking: boolean) => ({ NATS_URL: running(nats).url, INGEST_WORK: String(isWorking) })

  async function addBoard(index: number): Promise<Board> {
    const uid = (0x00_2c_00_00_00_00 + index).toString(16).padStart(12, '0').toUpperCase()
    const facts = { code: `PCB-${uid}`, uid, serialNumber: `SN${uid}`, hardwareRevision: 'B1', lifecycle: 'ACTIVE' }
    const { id } = await running(accepting).call<{ id: string }>('POST', 'control-pcb', facts, {
      'idempotency-key': `add-${uid}`,
    })
    const { deviceKey } = await running(accepting).call<{ deviceKey: string }>('POST', `control-pcb/${id}/device-key`)
    return { id, uid, key: deviceKey, seq: 0, acknowledged: [], refusals: [] }
  }

  beforeAll(async () => {
    nats = await killableNats()
    postgres = await killablePostgres()
    await Promise.all([nats.start(), postgres.start()])
    accepting = await ServerProcess.at(postgres.url)
    working = await ServerProcess.at(postgres.url)
    await accepting.start(env(false))
    await working.start(env(true))
    for (let index = 0; index < boardCount; index += 1) boards.push(await addBoard(index))
  }, 180_000)
  afterAll(async () => {
    await accepting?.kill()
    await working?.kill()
    await Promise.all([nats?.remove(), postgres?.remove()])
  })

  /** As a board does: the same bytes again, until they are acknowledged. */
  async function sendNext(board: Board): Promise<void> {
    const seq = ++board.seq
    const frame = telemetryFrame({ uptimeS: seq }, { seq, time: new Date(), uid: board.uid })
    for (;;) {
      const headers = { 'content-type': 'application/octet-stream', 'x-device-key': board.key }
      const body = new Uint8Array(frame)
      const answer = await fetch(`${running(accepting).url}/api/device/v1/frames`, { method: 'POST', headers, body }).catch(
        () => undefined,
      )
      if (answer?.status === 202) break
      if (answer) board.refusals.push(answer.status)
      await sleep(betweenCallsMs)
    }
    board.acknowledged.push(seq)
  }
  const sendOn = async (board: Board, isOver: () => boolean) => {
    while (!isOver()) {
      await sendNext(board)
      await sleep(betweenCallsMs)
    }
  }
  const acknowledged = () => boards.reduce((sum, board) => sum + board.acknowledged.length, 0)

  const rows = async <T>(text: string): Promise<T[]> => {
    const client = new pg.Client({ connectionString: running(postgres).url })
    await client.connect()
    try {
      return (await client.query(text)).rows as T[]
    } finally {
      await client.end()
    }
  }
  const storedOf = async ({ id }: Board) =>
    (await rows<{ seq: string }>(`select "seq" from "package" where "controlPcbId" = '${id}' order by "id"`)).map(({ seq }) =>
      Number(seq),
    )
  const areStored = async (board: Board) => {
    await expect
      .poll(async () => new Set(await storedOf(board)).size, { timeout: 60_000, interval: 500 })
      .toBe(board.acknowledged.length)
    expect(await storedOf(board)).toEqual(board.acknowledged)
  }
  const atWork = () => sleep(1_500)

  it('are stored with the board of their key, also when that key has ended meanwhile', async () => {
    const [board] = boards
    if (!board) throw new Error('no board')
    await running(working).kill()
    await sendNext(board)
    const { deviceKey } = await running(accepting).call<{ deviceKey: string }>('POST', `control-pcb/${board.id}/device-key`)
    board.key = deviceKey
    await sendNext(board)
    expect(await storedOf(board)).toEqual([])
    await running(working).start(env(true))
    await areStored(board)
  }, 120_000)

  it('are each in the database once and in order, whatever is killed while boards send', async () => {
    let isOver = false
    const sending = boards.map((board) => sendOn(board, () => isOver))
    await atWork()
    await running(working).kill()
    await atWork()
    await running(working).start(env(true))
    await atWork()
    await running(nats).kill()
    await atWork()
    await running(nats).start()
    await atWork()
    await running(postgres).kill()
    const before = acknowledged()
    await atWork()
    expect(acknowledged()).toBeGreaterThan(before + boardCount)
    await running(postgres).start()
    await sleep(4_000)
    isOver = true
    await Promise.all(sending)
    for (const board of boards) {
      await areStored(board)
      expect(board.refusals.filter((status) => status !== 503)).toEqual([])
    }
    expect(boards.some(({ refusals }) => refusals.length > 0)).toBe(true)
  }, 240_000)

  it('are taken for new ones by a stream server that has lost its disk and counts from one', async () => {
    await running(nats).kill()
    rmSync(join(running(nats).folder, 'jetstream'), { recursive: true })
    await running(nats).start()
    for (const board of boards) await sendNext(board)
    for (const board of boards) await areStored(board)
  }, 120_000)
})
