import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reportedStates } from '#server/fleet/firmware/updates/report-progress.ts'
import { encodeFrame } from '#server/frames/encode-frame.ts'
import { telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import type { BoardServer, TestBoard } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { addImage, callAs, openLine } from '#tests/support/device-line.ts'

describe.each(oneEngine(import.meta.filename))('an update at the device API on $name', (engine) => {
  let server: BoardServer
  let firmware: { id: string; image: Buffer }
  beforeAll(async () => {
    server = await openLine(engine)
    firmware = await addImage(server, '2.2.0', 200_000)
  })
  afterAll(() => server.close())

  let seq = 0
  const telemetry = async ({ uid, key }: TestBoard, firmwareVersion = '2.1.3') =>
    callAs(server, key, 'frames', { body: telemetryFrame({ firmwareVersion }, { seq: ++seq, time: server.now, uid }) })
  async function asked(): Promise<{ board: TestBoard; id: string }> {
    const board = await server.addBoard()
    await telemetry(board)
    const { status, body, text } = await server.call('POST', 'firmware-update', {
      body: { controlPcbId: board.id, firmwareId: firmware.id },
    })
    if (status !== 201) throw new Error(text)
    return { board, id: String(body.id) }
  }
  const report = ({ board, id }: { board: TestBoard; id: string }, body: object) =>
    callAs(server, board.key, `updates/${id}`, { body })
  const image = ({ board, id }: { board: TestBoard; id: string }, headers = {}) =>
    callAs(server, board.key, `firmware/${id}`, { headers })
  const shown = async (id: string) => (await server.call('GET', `firmware-update/${id}`)).body

  it('is offered, loaded, reported step by step, and begins to be confirmed with the new version', async () => {
    const one = await asked()
    expect((await telemetry(one.board)).body.news).toEqual({ update: one.id })
    const { body } = await callAs(server, one.board.key, 'state')
    const sha256 = createHash('sha256').update(firmware.image).digest('hex')
    expect(body.update).toMatchObject({
      id: one.id,
      version: '2.2.0',
      sizeB: firmware.image.length,
      sha256,
      crc32: firmware.image.toString('hex', 26, 30),
      state: 'QUEUED',
      notBefore: null,
    })
    expect(Object(body.update).deadline).toBeGreaterThan(server.now.getTime())
    const whole = await image(one)
    expect([whole.status, whole.headers.get('etag'), whole.headers.get('accept-ranges')]).toEqual([200, `"${sha256}"`, 'bytes'])
    expect(whole.bytes.equals(firmware.image)).toBe(true)
    const steps = [
      { state: 'DOWNLOADING', progressPct: 40, receivedB: 80_000 },
      { state: 'VERIFYING', version: '2.2.0' },
      { state: 'INSTALLING' },
      { state: 'REBOOTING' },
    ]
    for (const step of steps) expect((await report(one, step)).status, step.state).toBe(204)
    expect(await shown(one.id)).toMatchObject({ status: 'REBOOTING', bytesSent: 80_000 })
    expect((await telemetry(one.board, '2.2.0')).body.news).toEqual({})
    expect(await shown(one.id)).toMatchObject({ status: 'CONFIRMING' })
  })

  it('is loaded from where the line was cut, and as a whole when it is another image by now', async () => {
    const one = await asked()
    const { length } = firmware.image
    const tag = `"${createHash('sha256').update(firmware.image).digest('hex')}"`
    const rest = await image(one, { range: 'bytes=130000-', 'if-range': tag })
    expect([rest.status, rest.headers.get('content-range')]).toEqual([206, `bytes 130000-${length - 1}/${length}`])
    expect(rest.bytes.equals(firmware.image.subarray(130_000))).toBe(true)
    const middle = await image(one, { range: 'bytes=65530-65545' })
    expect([middle.status, middle.bytes.equals(firmware.image.subarray(65_530, 65_546))]).toEqual([206, true])
    const other = await image(one, { range: 'bytes=130000-', 'if-range': '"other"' })
    expect([other.status, other.bytes.length]).toEqual([200, length])
    expect((await image(one, { range: `bytes=${length}-` })).status).toBe(416)
  })

  it('is told which states may follow, and a report that was sent again is no fault', async () => {
    const one = await asked()
    expect((await report(one, { state: 'VERIFYING' })).status).toBe(204)
    expect((await report(one, { state: 'VERIFYING' })).status).toBe(204)
    const back = await report(one, { state: 'DOWNLOADING' })
    expect(back).toMatchObject({
      status: 409,
      body: { code: 'update.state', allowed: ['INSTALLING', 'REBOOTING', 'FAILED'] },
    })
    for (const state of ['SUCCEEDED', 'CONFIRMING', 'EXPIRED'])
      expect((await report(one, { state })).body.code, state).toBe('update.state')
    expect((await report(one, { state: 'FAILED', version: '9.9.9' })).body.code).toBe('update.other-version')
    const failed = { state: 'FAILED', failure: 'NO_SPACE' }
    expect((await report(one, failed)).status).toBe(204)
    expect((await report(one, failed)).status).toBe(204)
    expect(await shown(one.id)).toMatchObject({ status: 'FAILED', failureCode: 'NO_SPACE' })
    expect(await report(one, { state: 'INSTALLING' })).toMatchObject({ status: 409, body: { allowed: [] } })
    expect((await report(one, { state: 'LOST', progressPct: 101 })).status).toBe(400)
  })

  it('names the states that a board may report to one that misspells them, and no others', async () => {
    const { status, body } = await report(await asked(), { state: 'DOWNLOADIN' })
    const told = JSON.stringify(body)
    expect(status).toBe(400)
    expect(told).toContain(reportedStates.join(', '))
    expect(told).not.toMatch(/SCHEDULED|SUCCEEDED|EXPIRED|ROLLED_BACK|CONFIRMING|CANCELING/)
  })

  it('is noted with its packet when a frame reports what may not follow', async () => {
    const one = await asked()
    const say = (state: string, updateId = one.id) => {
      const values = { updateId, state, progressPct: 0, toVersion: '2.2.0', firmwareVersion: '2.1.3' }
      const frame = { type: 'FW_PROGRESS' as const, seq: ++seq, uid: one.board.uid, time: server.now, values }
      return callAs(server, one.board.key, 'frames', { body: encodeFrame(frame) })
    }
    await say('VERIFYING')
    await say('DOWNLOADING')
    await say('SUCCEEDED')
    await say('VERIFYING', '01890000-0000-7000-8000-00000000abcd')
    const rows = await server.rows<{ status: string; reasons: { code: string; field: string }[] }>(
      `select "status", "reasons" from "package" where "controlPcbId" = '${one.board.id}' and "type" = 'FW_PROGRESS' order by "id"`,
    )
    const notes = rows.map(({ reasons }) => reasons.filter(({ code }) => code === 'UPDATE_STATE').map(({ field }) => field))
    expect(notes).toEqual([[], ['state'], ['state'], ['updateId']])
    expect(rows.every(({ status }) => status === 'VALID')).toBe(true)
  })

  it('is gone once it is canceled, and nobody else can load it', async () => {
    const [one, other] = [await asked(), await asked()]
    expect((await callAs(server, other.board.key, `firmware/${one.id}`)).status).toBe(404)
    expect((await callAs(server, other.board.key, `updates/${one.id}`, { body: { state: 'FAILED' } })).status).toBe(404)
    await report(one, { state: 'DOWNLOADING', progressPct: 10 })
    expect((await server.call('PUT', `firmware-update/${one.id}/cancel`)).status).toBe(200)
    expect(await image(one)).toMatchObject({ status: 410, body: { code: 'gone' } })
    expect((await callAs(server, one.board.key, 'state')).body.update).toMatchObject({ state: 'CANCELING' })
    expect((await report(one, { state: 'CANCELED' })).status).toBe(204)
    expect((await callAs(server, one.board.key, 'state')).body.update).toBeNull()
    expect((await image(one)).status).toBe(410)
    await report(other, { state: 'FAILED', failure: 'FLASH' })
    expect((await image(other)).status).toBe(404)
  })

  it('ends for the image that is no longer whole, and the image is marked', async () => {
    const damaged = await addImage(server, '2.4.0', 1_000)
    const board = await server.addBoard()
    await telemetry(board)
    const made = await server.call('POST', 'firmware-update', { body: { controlPcbId: board.id, firmwareId: damaged.id } })
    await server.rows(`update "firmwareFile" set "content" = set_byte("content", 500, 1) where "firmwareId" = '${damaged.id}'`)
    const answer = await callAs(server, board.key, `firmware/${made.body.id}`)
    expect(answer).toMatchObject({ status: 409, body: { code: 'firmware.damaged' } })
    const [file] = await server.rows(`select "damagedAt" from "firmwareFile" where "firmwareId" = '${damaged.id}'`)
    expect(file?.damagedAt).not.toBeNull()
  })
})
