import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { advanceUpdates } from '#server/fleet/firmware/updates/advance-updates.ts'
import type { BoardServer, TestBoard } from '#tests/support/board-server.ts'
import { CuttingProxy } from '#tests/support/cutting-proxy.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { addImage, callAs, openLine } from '#tests/support/device-line.ts'
import { NarrowLine } from '#tests/support/narrow-line.ts'

const client = join(import.meta.dirname, '../../../examples/device/board.py')
const soon = { timeout: 30_000, interval: 50 }

describe.each(oneEngine(import.meta.filename))('the board in Python on $name', (engine) => {
  let server: BoardServer
  const running: ChildProcess[] = []
  const folders: string[] = []
  beforeAll(async () => {
    server = await openLine(engine)
  })
  afterEach(() => {
    for (const child of running.splice(0)) child.kill()
  })
  afterAll(async () => {
    await server.close()
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  })

  const portOf = () => (server.app.server.address() as AddressInfo).port
  async function folderOf(board: TestBoard): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'ess-python-'))
    folders.push(folder)
    await writeFile(join(folder, 'key'), board.key)
    return folder
  }
  const argumentsOf = (board: TestBoard, folder: string, address: string) => [
    ...['-B', client, '--server', address, '--uid', board.uid, '--folder', folder],
    ...['--every', '0.2', '--first-wait', '0.1'],
  ]
  function start(board: TestBoard, folder: string, address = `http://127.0.0.1:${portOf()}`): { log: () => string } {
    const child = spawn('python3', argumentsOf(board, folder, address))
    running.push(child)
    let log = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (log += String(text)))
    return { log: () => log }
  }
  const shown = async ({ id }: TestBoard) => (await server.call('GET', `control-pcb/${id}`)).body
  const update = async (id: string) => (await server.call('GET', `firmware-update/${id}`)).body
  const ask = async (board: TestBoard, firmwareId: string) => {
    const { status, body, text } = await server.call('POST', 'firmware-update', {
      body: { controlPcbId: board.id, firmwareId },
    })
    if (status !== 201) throw new Error(text)
    return String(body.id)
  }

  it('reports, obeys its configuration, and installs an image over a line that is cut three times', async () => {
    const board = await server.addBoard()
    const { id: firmwareId, image } = await addImage(server, '2.2.0', 400_000)
    const proxy = new CuttingProxy(
      portOf(),
      [0.3, 0.6, 0.9].map((share) => Math.round(share * image.length)),
    )
    await proxy.open()
    try {
      const { log } = start(board, await folderOf(board), proxy.address)
      await expect.poll(async () => (await shown(board)).firmware, soon).toMatchObject({ currentVersion: '2.1.3' })
      const desired = { reportIntervalS: 30, socMinPct: 15, warningOverrides: [], rawCaptureUntil: null }
      await server.rows(`insert into "configuration" ("controlPcbId", "version", "desired")
        values ('${board.id}', 1, '${JSON.stringify(desired)}')`)
      await expect.poll(async () => (await shown(board)).config, soon).toMatchObject({ state: 'IN_SYNC', reportedVersion: 1 })

      const id = await ask(board, firmwareId)
      await expect.poll(async () => (await update(id)).status, { ...soon, message: log() }).toBe('CONFIRMING')
      expect(proxy.cutCount, log()).toBe(3)
      await expect.poll(async () => (await update(id)).confirmedPackets, soon).toBeGreaterThanOrEqual(3)
      // By time that passes at the server alone, the clock of the board would be wrong.
      for (const child of running.splice(0)) child.kill()
      server.pass(700)
      await advanceUpdates(server.database, server.now)
      expect(await update(id)).toMatchObject({ status: 'SUCCEEDED', bytesSent: image.length })
      expect(await shown(board)).toMatchObject({ firmware: { currentVersion: '2.2.0', previousVersion: '2.1.3' } })
      const rows = await server.rows<{ reason: string[] }>(
        `select "reason" from "package" where "controlPcbId" = '${board.id}' and "status" <> 'VALID'`,
      )
      expect(rows).toEqual([])
    } finally {
      await proxy.close()
    }
  }, 120_000)

  it('refuses what it can not apply, with the reason', async () => {
    const board = await server.addBoard()
    start(board, await folderOf(board))
    await expect.poll(async () => (await shown(board)).firmware, soon).toMatchObject({ currentVersion: '2.1.3' })
    await server.rows(`insert into "configuration" ("controlPcbId", "version", "desired")
      values ('${board.id}', 1, '{"reportIntervalS": 30, "spareHeaterW": 200}')`)
    await expect
      .poll(async () => (await shown(board)).config, soon)
      .toMatchObject({ state: 'REJECTED', rejectReason: 'spareHeaterW is not supported' })
  }, 60_000)

  it('fails with an image that does not fit its header, and with one for other hardware, and says why', async () => {
    for (const [version, spoil, failureCode] of [
      ['3.0.0', `set_byte("content", 5000, 255)`, 'CHECKSUM'],
      ['3.1.0', `set_byte(set_byte("content", 14, 0), 15, 1)`, 'INCOMPATIBLE'],
      ['3.2.0', `set_byte("content", 5, 1)`, 'INCOMPATIBLE'],
    ]) {
      const board = await server.addBoard()
      start(board, await folderOf(board))
      await expect.poll(async () => (await shown(board)).firmware, soon).toMatchObject({ currentVersion: '2.1.3' })
      const { id: firmwareId } = await addImage(server, String(version), 20_000)
      // As a bad build would be: its own hash is right.
      await server.rows(`update "firmwareFile" set "content" = ${spoil} where "firmwareId" = '${firmwareId}'`)
      if (failureCode === 'INCOMPATIBLE') await mendSum(firmwareId)
      await server.rows(`update "firmware" "f" set "file" = "f"."file" || jsonb_build_object('sha256', encode(sha256("c"."content"), 'hex'))
        from "firmwareFile" "c" where "c"."firmwareId" = "f"."id" and "f"."id" = '${firmwareId}'`)
      const id = await ask(board, firmwareId)
      await expect.poll(async () => await update(id), soon).toMatchObject({ status: 'FAILED', failureCode })
    }
  }, 120_000)

  /** Writes the check sum that the header is to carry. */
  async function mendSum(firmwareId: string): Promise<void> {
    const [row] = await server.rows<{ content: Buffer }>(
      `select "content" from "firmwareFile" where "firmwareId" = '${firmwareId}'`,
    )
    const image = Buffer.from(row?.content ?? [])
    image.writeUInt32BE(crc32(image.subarray(30), crc32(image.subarray(0, 26))), 26)
    await server.rows(
      `update "firmwareFile" set "content" = decode('${image.toString('hex')}', 'hex') where "firmwareId" = '${firmwareId}'`,
    )
  }

  it('changes its key: the new one works, and the old one ends', async () => {
    const board = await server.addBoard()
    const folder = await folderOf(board)
    const address = `http://127.0.0.1:${portOf()}`
    await promisify(execFile)('python3', [...argumentsOf(board, folder, address), '--rotate'])
    const key = await readFile(join(folder, 'key'), 'utf8')
    expect(key).not.toBe(board.key)
    const look = async (one: string) => (await callAs(server, one, 'state')).status
    expect([await look(key), await look(board.key)]).toEqual([200, 200])
    server.pass(86_460)
    expect([await look(key), await look(board.key)]).toEqual([200, 403])
    start(board, folder)
    await expect
      .poll(async () => (await server.rows(`select 1 from "package" where "controlPcbId" = '${board.id}'`)).length, soon)
      .toBeGreaterThan(3)
  }, 60_000)

  it('changes its key while it runs, twice, and goes on reporting when the former key has ended', async () => {
    const board = await server.addBoard()
    const folder = await folderOf(board)
    const address = `http://127.0.0.1:${portOf()}`
    const packets = async () => (await server.rows(`select 1 from "package" where "controlPcbId" = '${board.id}'`)).length
    const { log } = start(board, folder)
    await expect.poll(packets, soon).toBeGreaterThan(0)
    const keys = new Set([board.key])
    for (const count of [2, 3]) {
      await promisify(execFile)('python3', [...argumentsOf(board, folder, address), '--rotate'])
      await expect.poll(async () => keys.add(await readFile(join(folder, 'key'), 'utf8')).size, soon).toBe(count)
    }
    server.pass(86_460)
    const before = await packets()
    await expect.poll(packets, { ...soon, message: log() }).toBeGreaterThan(before + 2)
    const numbers = await server.rows<{ seq: number }>(`select "seq" from "package" where "controlPcbId" = '${board.id}'`)
    expect(new Set(numbers.map(({ seq }) => seq)).size).toBe(numbers.length)
  }, 60_000)

  it('is started once for each folder', async () => {
    const board = await server.addBoard()
    const folder = await folderOf(board)
    const { log } = start(board, folder)
    await expect.poll(() => server.rows(`select 1 from "package" where "controlPcbId" = '${board.id}'`), soon).not.toEqual([])
    const second = promisify(execFile)('python3', argumentsOf(board, folder, `http://127.0.0.1:${portOf()}`))
    await expect(second, log()).rejects.toMatchObject({ stderr: expect.stringContaining('stop it first') })
  }, 60_000)

  it('reports while it loads an image over a slow line, and stops when the update is canceled', async () => {
    const board = await server.addBoard()
    const { id: firmwareId, image } = await addImage(server, '2.4.0', 300_000)
    const proxy = new CuttingProxy(portOf(), [], { bytesPerS: 15_000 })
    await proxy.open()
    try {
      const { log } = start(board, await folderOf(board), proxy.address)
      await expect.poll(async () => (await shown(board)).firmware, soon).toMatchObject({ currentVersion: '2.1.3' })
      const id = await ask(board, firmwareId)
      await expect.poll(async () => (await update(id)).bytesSent, { ...soon, message: log() }).toBeGreaterThan(0)
      expect((await update(id)).status).toBe('DOWNLOADING')
      const heard = async () => (await server.rows(`select 1 from "package" where "controlPcbId" = '${board.id}'`)).length
      const before = await heard()
      await expect.poll(heard, soon).toBeGreaterThan(before + 2)
      expect((await server.call('PUT', `firmware-update/${id}/cancel`)).status).toBe(200)
      await expect.poll(async () => (await update(id)).status, { ...soon, message: log() }).toBe('CANCELED')
      expect((await update(id)).bytesSent).toBeLessThan(image.length)
    } finally {
      await proxy.close()
    }
  }, 90_000)

  it('sends less at once over a line that carries no more, until all is there', async () => {
    const board = await server.addBoard()
    const folder = await folderOf(board)
    const narrow = new NarrowLine(portOf(), 2_000)
    const address = await narrow.open()
    await narrow.close()
    const { log } = start(board, folder, address)
    const waiting = async () => (await readFile(join(folder, 'backlog.bin')).catch(() => Buffer.of())).length
    await expect.poll(waiting, { ...soon, message: log() }).toBeGreaterThan(4_000)
    for (const child of running.splice(0)) child.kill()
    await narrow.open()
    try {
      start(board, folder, address)
      const first = () => server.rows(`select 1 from "package" where "controlPcbId" = '${board.id}' and "seq" = 1`)
      await expect.poll(first, soon).toHaveLength(1)
      await expect.poll(waiting, soon).toBeLessThan(1_000)
      expect(narrow.refused).toBeGreaterThan(0)
    } finally {
      await narrow.close()
    }
  }, 60_000)

  it('keeps what it can not send, and sends it when the server is there', async () => {
    const board = await server.addBoard()
    const folder = await folderOf(board)
    const proxy = new CuttingProxy(portOf(), [])
    await proxy.open()
    const { address } = proxy
    await proxy.close()
    const { log } = start(board, folder, address)
    await expect.poll(log, soon).toContain('no luck')
    for (const child of running.splice(0)) child.kill()
    start(board, folder)
    await expect
      .poll(
        async () => (await server.rows(`select "seq" from "package" where "controlPcbId" = '${board.id}' order by "seq"`))[0],
        soon,
      )
      .toEqual({ seq: 1 })
  }, 60_000)
})
