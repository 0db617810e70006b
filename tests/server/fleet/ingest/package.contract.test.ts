import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageControl } from '#resources/package.ts'
import type { FrameField } from '#server/frames/frame-decoder.ts'
import { referenceDecoder } from '#server/frames/reference-decoder.ts'
import { type TelemetryValues, telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'

type Package = {
  id: string
  status: string
  reason: string[]
  raw: string
  fields: FrameField[]
  reasons: object[]
  version: number
}

describe.each(oneEngine(import.meta.filename))('packets on $name', (engine) => {
  let server: BoardServer
  let board: TestBoard
  let seq = 0
  beforeAll(async () => {
    server = await openBoardServer(engine)
    board = await server.addBoard()
    await send({}, {}, { socPct: 130 }, { cellVoltageMinMv: 9900 })
    await server.send(board, damaged(frame({})))
    await server.send(board, Buffer.from('noise'))
  })
  afterAll(() => server.close())

  const frame = (values: TelemetryValues) =>
    telemetryFrame(values, { seq: ++seq, time: new Date(server.now.getTime() + seq * 1000), uid: board.uid })
  const send = (...all: TelemetryValues[]) => server.send(board, ...all.map(frame))
  const damaged = (bytes: Buffer) => {
    bytes[60] = (bytes[60] ?? 0) ^ 1
    return bytes
  }
  const list = async (query: string) => (await server.call<Package[]>('GET', `package?controlPcbId=${board.id}&${query}`)).body
  const one = async (query: string): Promise<Package> => {
    const [found] = await list(query)
    if (!found) throw new Error(`no packet with ${query}`)
    return (await server.call<Package>('GET', `package/${found.id}`)).body
  }

  it('are found by validity and by reason', async () => {
    expect(await list('isValid=true')).toHaveLength(2)
    expect(await list('isValid=false')).toHaveLength(4)
    expect(await list('status=PARTIAL&status=INVALID')).toHaveLength(4)
    expect((await list('reason=CRC_MISMATCH')).map(({ status }) => status)).toEqual(['INVALID'])
    expect(await list('reason=CRC_MISMATCH&reason=VALUE_OUT_OF_RANGE')).toHaveLength(3)
    expect((await server.call('GET', 'package?reason=NONSENSE')).status).toBe(400)
  })

  it('count their reasons by the filter of the list, which chooses among them', async () => {
    const reasons = async (query: string, role: 'admin' | 'client' = 'admin') =>
      server.call('GET', `package/reasons?controlPcbId=${board.id}&${query}`, { role })
    const all = [
      { reason: 'VALUE_OUT_OF_RANGE', count: 2 },
      { reason: 'BAD_MAGIC', count: 1 },
      { reason: 'CRC_MISMATCH', count: 1 },
    ]
    expect((await reasons('_start=0&_end=20')).body).toEqual(all)
    expect((await reasons('reason=BAD_MAGIC')).body).toEqual(all)
    expect((await reasons('status=INVALID')).body).toEqual(all.slice(1))
    expect((await reasons('nonsense=1')).status).toBe(400)
    expect((await reasons('', 'client')).status).toBe(403)
  })

  it('leave bytes and fields out of the list, and show them in the single one, whose reading is noted', async () => {
    expect(Object.keys((await list('status=VALID'))[0] ?? {})).not.toContain('raw')
    const { raw, fields, reasons, id } = await one('reason=CRC_MISMATCH')
    expect(fields.map((field) => field.raw).join('')).toBe(raw)
    expect(fields.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(['crc'])
    expect(reasons).toMatchObject([{ code: 'CRC_MISMATCH', suspectOffset: 60 }])
    const described = packageControl.fields.reasons.fields
    expect(Object.keys(described)).toEqual(expect.arrayContaining(reasons.flatMap(Object.keys)))
    expect(await server.rows(`select "action" from "auditLog" where "entityId" = '${id}'`)).toEqual([{ action: 'read' }])
  })

  it('mark the doubted field of a frame whose sum is right', async () => {
    const { fields } = await one('reason=VALUE_OUT_OF_RANGE&_sort=seq&_order=desc')
    expect(fields.filter(({ ok }) => !ok)).toMatchObject([{ name: 'cellVoltageMinMv', value: 9900, raw: '26ac' }])
  })

  describe('decoded again', () => {
    const samples = (id: string) => server.rows(`select "socPct", "quality" from "telemetry" where "packageId" = '${id}'`)

    it('come to what the present decoder reads, and so does their sample', async () => {
      const { id, version } = await one('status=VALID')
      await server.rows(
        `update "package" set "status" = 'INVALID', "reason" = '["DECODE_ERROR"]', "reasons" = '[]', "decoderVersion" = 'old' where "id" = '${id}'`,
      )
      await server.rows(`delete from "telemetry" where "packageId" = '${id}'`)
      const { status, body } = await server.call('POST', `package/${id}/reprocess`)
      expect([status, body]).toMatchObject([
        200,
        {
          status: 'VALID',
          reason: [],
          decoderVersion: referenceDecoder.version,
          reprocessedAt: server.now.toISOString(),
          version: version + 1,
        },
      ])
      expect(await samples(id)).toEqual([{ socPct: 63.4, quality: 0 }])
      const [entry] = await server.rows(`select "after" from "auditLog" where "entityId" = '${id}' and "action" = 'reprocess'`)
      expect(entry).toBeDefined()
    })

    it('keep how they came, and lose what can not be true at the site of today', async () => {
      await server.send(
        board,
        telemetryFrame({}, { seq: seq + 5, time: new Date(server.now.getTime() + 60_000), uid: board.uid }),
      )
      const { id } = await one('reason=SEQ_GAP')
      await server.rows(`update "ess" set "cellsInSeries" = 8 where "id" = '${board.essId}'`)
      const { body } = await server.call('POST', `package/${id}/reprocess`, { role: 'moderator' })
      expect(body).toMatchObject({ status: 'PARTIAL', reason: ['VALUE_OUT_OF_RANGE', 'SEQ_GAP'] })
      const [row] = await server.rows(`select "batteryVoltageV", "socPct" from "telemetry" where "packageId" = '${id}'`)
      expect(row).toEqual({ batteryVoltageV: null, socPct: 63.4 })
    })

    it('are for admins and moderators, and only while all bytes are kept', async () => {
      const { id } = await one('status=VALID')
      expect((await server.call('POST', `package/${id}/reprocess`, { role: 'service_engineer' })).status).toBe(403)
      await server.send(board, Buffer.alloc(3000, 7))
      const [cut] = await server.rows<{ id: string }>(`select "id" from "package" where "truncated"`)
      expect(await server.call('POST', `package/${cut?.id}/reprocess`)).toMatchObject({
        status: 409,
        body: { code: 'package.incomplete' },
      })
    })
  })
})
