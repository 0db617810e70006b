import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wireLayouts } from '#resources/fleet/wire-layouts.ts'
import { casePackages } from '#server/fleet/case/case-packages.ts'
import { readUnread } from '#server/fleet/ingest/read-unread.ts'
import { rollUp } from '#server/fleet/telemetry/roll-up.ts'
import { watchServerRules } from '#server/fleet/warning/watch-server-rules.ts'
import { encodeFrame } from '#server/frames/encode-frame.ts'
import { knownLayouts, Layouts } from '#server/frames/layouts.ts'
import { decoderOf, referenceDecoder } from '#server/frames/reference-decoder.ts'
import { healthy } from '#tests/server/frames/sample-frames.ts'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { readCsv } from '#tests/support/read-csv.ts'

/** The same channels in another order. */
const own = Object.keys(healthy).slice(9).toReversed()
const newer = new Layouts([...wireLayouts, { product: 'ESS-PCB', version: 2, types: { TELEMETRY: own } }])
const layout = newer.of('ESS-PCB', 2)
const minutes = [0, 1, 2, 3, 4, 5]

describe.each(oneEngine(import.meta.filename))('frames of a version that the console does not know, on $name', (engine) => {
  let server: BoardServer
  let late: TestBoard
  let readable: TestBoard

  const sampleOf = ({ uid }: TestBoard, minute: number, given = layout) =>
    encodeFrame({
      type: 'TELEMETRY',
      seq: minute + 1,
      uid,
      time: server.now,
      values: { ...healthy, socPct: 60 + minute, chargeEnergyWh: 5_000_000 + minute * 10 },
      ...(given && { layout: given }),
    })
  const packets = ({ id }: TestBoard) =>
    server.rows(`select "status", "type", "protocolVersion", "firmwareVersion", "truncated", "product" from "package"
      where "controlPcbId" = '${id}' order by "receivedAt"`)
  const figures = async ({ id }: TestBoard) => ({
    samples: await server.rows(
      `select "ts", "quality", "socPct", "chargeEnergyWh", "cellDeltaMv" from "telemetry" where "controlPcbId" = '${id}' order by "ts"`,
    ),
    hours: await server.rows(
      `select "hour", "valid", "partial", "invalid", "unread" from "packageHour" where "controlPcbId" = '${id}'`,
    ),
    rolled: await server.rows(
      `select to_jsonb("t") - 'controlPcbId' - 'essId' as "row" from "telemetry5m" "t" where "controlPcbId" = '${id}' order by "ts"`,
    ),
    state: await server.rows(
      `select "lastSampleAt", "sample", "firmwareVersion", "rebootCount", "rssiDbm", "lastValidPacketAt" from "boardState" where "controlPcbId" = '${id}'`,
    ),
  })

  beforeAll(async () => {
    server = await openBoardServer(engine)
    late = await server.addBoard()
    readable = await server.addBoard()
    for (const minute of minutes) {
      const answer = await server.send(late, sampleOf(late, minute))
      expect([answer.status, answer.body]).toMatchObject([202, { accepted: 1, invalid: 0, duplicate: 0, refused: [] }])
      await server.send(readable, sampleOf(readable, minute, knownLayouts.of('ESS-PCB', 1)))
      server.pass(60)
    }
  })
  afterAll(() => server?.close())

  it('are kept whole, count for themselves, and prove that the board is there', async () => {
    const [packet] = await packets(late)
    expect(packet).toEqual({
      status: 'UNKNOWN_VERSION',
      type: 'TELEMETRY',
      protocolVersion: 2,
      firmwareVersion: null,
      truncated: false,
      product: 'ESS-PCB',
    })
    const { hours, samples, state } = await figures(late)
    expect(hours).toMatchObject([{ valid: 0, partial: 0, invalid: 0, unread: 6 }])
    expect(samples).toEqual([])
    expect(state).toMatchObject([{ lastValidPacketAt: new Date(server.now.getTime() - 60_000).toISOString(), sample: null }])
    const { body } = await server.call<{ quality24h: object }>('GET', `control-pcb/${late.id}`)
    expect(body.quality24h).toMatchObject({ invalid: 0, notValid: 0 })
  })

  it('raise no warning about damaged packets, however many there are', async () => {
    await server.rows(`update "packageHour" set "unread" = 600 where "controlPcbId" = '${late.id}'`)
    await watchServerRules(server.database, server.now)
    await server.rows(`update "packageHour" set "unread" = 6 where "controlPcbId" = '${late.id}'`)
    const codes = await server.rows(`select "code" from "telemetry_warning" where "controlPcbId" = '${late.id}'`)
    expect(codes.filter(({ code }) => code === 'PKT_INVALID_RATE')).toEqual([])
  })

  it('stay as they are while nothing more is known of them', async () => {
    await readUnread(server.database, referenceDecoder, server.now)
    expect((await packets(late)).map(({ status }) => status)).toEqual(minutes.map(() => 'UNKNOWN_VERSION'))
  })

  it('are read by a newer console: samples, counts and figures are those of a board that was understood at once', async () => {
    await readUnread(server.database, decoderOf(newer), server.now)
    expect(await packets(late)).toEqual(
      minutes.map(() => expect.objectContaining({ status: 'VALID', type: 'TELEMETRY', firmwareVersion: '2.1.3' })),
    )
    await rollUp(server.database, new Date(server.now.getTime() + 3_600_000))
    const [read, known] = [await figures(late), await figures(readable)]
    expect(read.samples).toHaveLength(6)
    expect(read.rolled.length).toBeGreaterThan(0)
    expect(read).toEqual(known)
  })

  it('tell nothing of the present once something younger was read', async () => {
    await server.send(late, sampleOf(late, 8))
    server.pass(60)
    await server.send(
      late,
      encodeFrame({
        type: 'TELEMETRY',
        seq: 10,
        uid: late.uid,
        time: server.now,
        values: { ...healthy, firmwareVersion: '2.0.0', socPct: 70, chargeEnergyWh: 5_000_090 },
      }),
    )
    await readUnread(server.database, decoderOf(newer), server.now)
    const { state, samples } = await figures(late)
    expect(samples).toHaveLength(8)
    expect(state).toMatchObject([{ firmwareVersion: '2.0.0', sample: { socPct: { value: 70 } } }])
  })

  it('are shown and decoded again by the product of the board that they came from', async () => {
    const board = await server.addBoard()
    const link = knownLayouts.of('ESS-LINK', 1)
    await server.send(board, sampleOf(board, 10, link))
    const find = async () => (await server.call<{ id: string }[]>('GET', `package?controlPcbId=${board.id}`)).body[0]?.id
    const id = await find()
    await server.rows(`update "control_pcb" set "product" = 'ESS-LINK' where "id" = '${board.id}'`)
    const again = await server.call('POST', `package/${id}/reprocess`)
    expect(again.body).toMatchObject({ status: 'VALID', product: 'ESS-LINK' })
    const shown = await server.call<{ fields: { name: string; value: unknown }[] }>('GET', `package/${id}`)
    expect(shown.body.fields.filter(({ name }) => name === 'socPct' || name === 'rest')).toMatchObject([
      { name: 'socPct', value: 70 },
    ])
    const [sample] = await server.rows(
      `select "socPct", "gridPowerW", "cellVoltageMinMv" from "telemetry" where "packageId" = '${id}'`,
    )
    expect(sample).toEqual({ socPct: 70, gridPowerW: 164, cellVoltageMinMv: null })
  })
  it.each([
    ['as bytes', referenceDecoder, []],
    ['with its values', decoderOf(newer), [['socPct', 70]]],
  ] as const)('are in a case file %s, as the decoder of the console reads them', async (_how, decoder, expected) => {
    const board = await server.addBoard()
    await server.send(board, sampleOf(board, 10))
    const at = server.now.getTime()
    const span = { controlPcbId: board.id, startsAt: new Date(at - 60_000), endsAt: new Date(at + 60_000) }
    const moments = { controlPcbId: sql`${span.controlPcbId}`, startsAt: sql`${span.startsAt}`, endsAt: sql`${span.endsAt}` }
    const lines: string[] = []
    for await (const part of casePackages({ database: server.database, decoder }, moments, () => undefined)) lines.push(part)
    const [head = [], row = [], ...others] = readCsv(lines.join(''))
    const fields: { name: string; value: unknown }[] = JSON.parse(row[head.indexOf('fields (JSON)')] ?? '')
    expect(others).toEqual([])
    expect(fields.filter(({ name }) => name === 'socPct').map(({ name, value }) => [name, value])).toEqual(expected)
  })
})
