import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildImage } from '#server/fleet/firmware/image-header.ts'
import { encodeFrame } from '#server/frames/encode-frame.ts'
import { telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { engines } from '#tests/support/databases.ts'
import { ServerProcess } from '#tests/support/server-process.ts'

type Board = { id: string; uid: string; key: string; seq: number }

/** A few in every run; `KILLS=50` of a night. */
const kills = Number(process.env.KILLS ?? 5)

const [oldVersion, newVersion] = ['2.1.3', '2.2.0']

describe.each(engines)('a server that is killed on $name', (engine) => {
  let server: ServerProcess
  let made = 0
  beforeAll(async () => {
    server = await ServerProcess.on(engine)
    await server.start()
  }, 90_000)
  afterAll(() => server.remove())

  const nextUid = () => (0x00_2b_00_00_00_00 + ++made).toString(16).padStart(12, '0').toUpperCase()
  const addRecord = (uid: string) => {
    const facts = { code: `PCB-${uid}`, uid, serialNumber: `SN${uid}`, hardwareRevision: 'B1', lifecycle: 'ACTIVE' }
    return server.call<{ id: string }>('POST', 'control-pcb', facts, { 'idempotency-key': `add-${uid}-${uid}` })
  }
  async function addBoard(): Promise<Board> {
    const uid = nextUid()
    const { id } = await addRecord(uid)
    const { deviceKey } = await server.call<{ deviceKey: string }>('POST', `control-pcb/${id}/device-key`)
    return { id, uid, key: deviceKey, seq: 0 }
  }
  const telemetry = (board: Board, firmwareVersion = oldVersion) =>
    telemetryFrame({ firmwareVersion }, { seq: ++board.seq, time: new Date(), uid: board.uid })

  /** Sends until the server is gone; adds the numbers of the frames that were acknowledged. */
  async function sendUntilItDies(board: Board, acknowledged: number[]): Promise<void> {
    for (;;) {
      const frames = [telemetry(board), telemetry(board)]
      const numbers = [board.seq - 1, board.seq]
      try {
        await server.send(board.key, ...frames)
      } catch {
        return
      }
      acknowledged.push(...numbers)
    }
  }

  async function storedOf({ id }: Board): Promise<number[]> {
    const stored: number[] = []
    for (let start = 0; ; start += 200) {
      const path = `package?controlPcbId=${id}&_sort=seq&_order=asc&_start=${start}&_end=${start + 200}`
      const rows = await server.call<{ seq: number; status: string }[]>('GET', path)
      stored.push(...rows.map(({ seq }) => seq))
      if (rows.length < 200) return stored
    }
  }

  /** Adds boards until the server is gone; answers the request that got no answer. */
  async function addUntilItDies(answered: string[]): Promise<string> {
    for (;;) {
      const uid = nextUid()
      try {
        await addRecord(uid)
      } catch {
        return uid
      }
      answered.push(uid)
    }
  }

  it(
    'has every frame and record that it has acknowledged, and none of them twice, however often it is killed',
    async () => {
      const answered: string[] = []
      const boards = await Promise.all([addBoard(), addBoard(), addBoard()])
      const acknowledged = boards.map((): number[] => [])
      for (let kill = 1; kill <= kills; kill += 1) {
        const enough = acknowledged.flat().length + 8
        const adding = addUntilItDies(answered)
        const sending = boards.map((board, index) => sendUntilItDies(board, acknowledged[index] ?? []))
        while (acknowledged.flat().length < enough) await sleep(5)
        await server.kill()
        await Promise.all(sending)
        const unanswered = await adding
        await server.start()
        // Stored or not: sent again under its key it is there once.
        await addRecord(unanswered)
        answered.push(unanswered)
      }
      for (const uid of answered) expect(await server.call<object[]>('GET', `control-pcb?uid=${uid}`)).toHaveLength(1)
      for (const [index, board] of boards.entries()) {
        const stored = await storedOf(board)
        const known = new Set(stored)
        expect((acknowledged[index] ?? []).filter((seq) => !known.has(seq))).toEqual([])
        expect(stored).toHaveLength(known.size)
        const { connection } = await server.call<{ connection: object }>('GET', `control-pcb/${board.id}`)
        expect(connection).toMatchObject({ state: 'ONLINE' })
      }
    },
    120_000 + kills * 30_000,
  )

  async function addFirmware(): Promise<string> {
    const facts = { firmwareVersion: newVersion, hardwareRevisions: ['B1'], minFromVersion: '2.0.0' }
    const form = new FormData()
    const image = buildImage({ ...facts, payload: Buffer.from('firmware '.repeat(500)) })
    form.append('file', new Blob([new Uint8Array(image)]), 'ess-pcb_B1_v2.2.0.bin')
    const { id } = await server.call<{ id: string }>('POST', 'firmware', form)
    await server.call('PUT', `firmware/${id}/status`, { status: 'TESTING' })
    return id
  }
  const says = (board: Board, type: 'FW_PROGRESS' | 'BOOT', values: Record<string, string | number | null>) => {
    const status = { firmwareVersion: oldVersion, transport: 'LTE', uptimeS: 9, rebootCount: 4 }
    const facts = { type, seq: ++board.seq, uid: board.uid, time: new Date() }
    return server.send(board.key, encodeFrame({ ...facts, values: { ...status, ...values } }))
  }
  const progress = (board: Board, updateId: string, state: string) =>
    says(board, 'FW_PROGRESS', { updateId, state, progressPct: 50, toVersion: newVersion })
  const updateOf = (id: string) => server.call<{ status: string; failureCode: string | null }>('GET', `firmware-update/${id}`)

  it('goes on with an update where it was, and lets none hang whose board is gone', async () => {
    const [lively, silent] = await Promise.all([addBoard(), addBoard()])
    const firmwareId = await addFirmware()
    const begin = async (board: Board) => {
      await server.send(board.key, telemetry(board))
      const asked = { controlPcbId: board.id, firmwareId, maxAttempts: 1 }
      const { id } = await server.call<{ id: string }>('POST', 'firmware-update', asked)
      await progress(board, id, 'DOWNLOADING')
      return id
    }
    const [going, hanging] = [await begin(lively), await begin(silent)]
    await server.kill()

    const database = await server.openDatabase()
    // So much time has passed while nothing ran.
    await sql`update "firmware_update" set "deadlineAt" = now() - interval '1 minute' where "id" = ${hanging}`.execute(
      database.kysely,
    )
    await database.close()
    await server.start()
    expect((await updateOf(going)).status).toBe('DOWNLOADING')
    await progress(lively, going, 'INSTALLING')
    await server.kill()
    await server.start()
    expect((await updateOf(going)).status).toBe('INSTALLING')
    await says(lively, 'BOOT', { firmwareVersion: newVersion, resetReason: 'FW_UPDATE', previousVersion: oldVersion })
    expect((await updateOf(going)).status).toBe('CONFIRMING')
    // The work of the process that died is taken over when its right to it has run out.
    await expect
      .poll(() => updateOf(hanging), { timeout: 40_000, interval: 500 })
      .toMatchObject({ status: 'EXPIRED', failureCode: 'TIMEOUT' })
  }, 180_000)
})
