import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pruneTelemetry } from '#server/app/prune-telemetry.ts'
import { ensurePartitions } from '#server/fleet/telemetry/monthly-partitions.ts'
import { rollUp } from '#server/fleet/telemetry/roll-up.ts'
import { rolledColumns } from '#server/fleet/telemetry/roll-up-sql.ts'
import { chartChannels, columnType } from '#server/fleet/telemetry/sample-columns.ts'
import type { SeriesAnswer } from '#server/fleet/telemetry/series-answer.ts'
import { channels } from '#server/frames/channels.ts'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'

const day = 86_400_000

describe.each(oneEngine(import.meta.filename))('60 days of a board on $name', (engine) => {
  let server: BoardServer
  let board: TestBoard
  const now = new Date('2026-03-02T00:00:00Z')
  const from = new Date(now.getTime() - 60 * day)
  const range = `from=${from.toISOString()}&to=${now.toISOString()}`
  beforeAll(async () => {
    server = await openBoardServer(engine, { at: now })
    board = await server.addBoard({ timezone: 'Asia/Kolkata' })
    await ensurePartitions(server.database, from, now)
    await server.rows(`insert into "telemetry" ("controlPcbId", "ts", "receivedAt", "quality", "socPct", "loadPowerW", "loadEnergyWh", "chargeState")
      select '${board.id}', "ts", "ts", 0, 50 + 40 * sin(extract(epoch from "ts") / 10000), 1000, extract(epoch from "ts")::int8 / 60, 3
      from generate_series('${from.toISOString()}'::timestamptz, '${new Date(now.getTime() - 1).toISOString()}', interval '1 min') as "ts"`)
  }, 120_000)
  afterAll(() => server?.close())

  it('exports exactly 86,400 rows in order, with units and the time of the site', async () => {
    const { status, text, headers } = await server.call(
      'GET',
      `telemetry/export?controlPcbId=${board.id}&${range}&channel=socPct&channel=chargeState`,
    )
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringContaining('.csv'),
    })
    const lines = text.trimEnd().split('\r\n')
    expect(lines[0]).toBe('time (UTC),time (Asia/Kolkata),quality,socPct (%),chargeState')
    expect(lines).toHaveLength(86_401)
    expect(lines[1]).toMatch(/^2026-01-01T00:00:00.000Z,2026-01-01 05:30:00,GOOD,[\d.]+,CHARGING$/)
    expect(lines.slice(2).every((line, index) => line > (lines[index + 1] ?? ''))).toBe(true)
    const [entry] = await server.rows(`select * from "auditLog" where "action" = 'export'`)
    expect(entry).toMatchObject({ entityType: 'telemetry', entityId: board.id, role: 'admin', result: 'OK' })
  })

  it('exports every channel when none is named, and rows of 5 minutes', async () => {
    const hour = `from=${new Date(now.getTime() - 3_600_000).toISOString()}&to=${now.toISOString()}`
    const all = await server.call('GET', `telemetry/export?controlPcbId=${board.id}&${hour}`)
    expect(all.text.split('\r\n')[0]?.split(',')).toHaveLength(3 + channels.length)
    const rows = await server.call(
      'GET',
      `telemetry/export?controlPcbId=${board.id}&${hour}&resolution=5m&channel=loadPowerW&channel=loadEnergyWh`,
    )
    const lines = rows.text.trimEnd().split('\r\n')
    expect(lines[0]).toBe(
      'time (UTC),time (Asia/Kolkata),loadPowerW (W) mean,loadPowerW (W) min,loadPowerW (W) max,loadEnergyWh (Wh),estimated (%)',
    )
    expect(lines).toHaveLength(13)
    const [utc = '', local = ''] = lines[1]?.split(',') ?? []
    expect(Date.parse(`${local.replace(' ', 'T')}:00+05:30`)).toBe(Date.parse(utc))
  })

  it('exports small buckets of five years at most', async () => {
    const years = (count: number) => `from=${new Date(now.getTime() - count * 366 * day).toISOString()}&to=${now.toISOString()}`
    const path = `telemetry/export?controlPcbId=${board.id}&channel=socPct`
    const refused = await server.call('GET', `${path}&${years(6)}&resolution=5m`)
    expect(refused).toMatchObject({ status: 400, body: { fields: { to: expect.stringContaining('at most 5 years') } } })
    expect((await server.call('GET', `${path}&${years(19)}&resolution=1h`)).status).toBe(200)
  })

  it('an export is no answer to HEAD, which would run it unseen, and has a limit a minute for each person', async () => {
    const hour = `from=${new Date(now.getTime() - 3_600_000).toISOString()}&to=${now.toISOString()}`
    const path = `telemetry/export?controlPcbId=${board.id}&${hour}&channel=socPct`
    const count = async () => (await server.rows(`select 1 from "auditLog" where "action" = 'export'`)).length
    const before = await count()
    expect((await server.call('HEAD', path)).status).toBe(404)
    expect(await count()).toBe(before)
    const statuses: number[] = []
    for (let turn = 0; turn < 11; turn++) statuses.push((await server.call('GET', path)).status)
    expect(statuses).toContain(200)
    expect(statuses.at(-1)).toBe(429)
    expect((await count()) - before).toBe(statuses.filter((status) => status === 200).length)
  })

  it('holds no more in memory for all of it than for a page', async () => {
    const { exportSamples } = await import('#server/fleet/telemetry/export-samples.ts')
    const segments = [{ controlPcbId: board.id, from: from.toISOString(), to: now.toISOString() }]
    let longest = 0
    let count = 0
    for await (const text of exportSamples(server.database, { segments, channels: chartChannels, zone: 'UTC' })) {
      longest = Math.max(longest, text.length)
      count += text.split('\n').length - 1
    }
    expect(count).toBe(86_401)
    expect(longest).toBeLessThan(600_000)
  })

  it('draws all of it in days of the site, some of them rolled up and some not, and never more than 750 points', async () => {
    const half = new Date(from.getTime() + 30 * day)
    const hours = (
      before: Date,
    ) => `insert into "telemetryOpenHour" select '${board.id}', "ts" from generate_series('${from.toISOString()}'::timestamptz,
      '${new Date(before.getTime() - 1).toISOString()}', interval '1 hour') as "ts" on conflict do nothing`
    const days = `insert into "telemetryOpenDay" select '${board.id}', "ts", "ts" + interval '1 day'
      from generate_series('2025-12-31T18:30:00Z'::timestamptz, '${now.toISOString()}', interval '1 day') as "ts"`
    await server.rows(hours(now))
    await server.rows(days)
    const read = () =>
      server.call<SeriesAnswer>('GET', `telemetry?controlPcbId=${board.id}&${range}&channel=socPct&channel=loadEnergyWh`)
    const before = await read()
    await rollUp(server.database, half)
    expect((await read()).body).toEqual(before.body)
    await rollUp(server.database, new Date(now.getTime() + day))
    expect((await read()).body).toEqual(before.body)
    const { series, bucketMs } = before.body
    expect([bucketMs, series.socPct?.t.length]).toEqual([day, 61])
    expect(series.loadEnergyWh?.avg.slice(1, 60)).toEqual(Array.from({ length: 59 }, () => 1440))
    expect(series.socPct?.t[1]).toBe(Date.parse('2026-01-01T18:30:00Z'))
    expect(await server.rows(`select count(*) as "n" from "telemetry1d"`)).toEqual([{ n: 61 }])
  }, 120_000)

  it('forgets samples by whole months and keeps days for ever', async () => {
    await pruneTelemetry(server.database, new Date(now.getTime() + 50 * day))
    const counts = await server.rows(`select count(*) as "n", min("ts") as "first" from "telemetry"`)
    expect(counts).toEqual(
      [{ n: 29 * 1440, first: '2026-02-01T00:00:00.000Z' }].map(({ first }) => ({ n: 28 * 1440 + 1440, first })),
    )
    await pruneTelemetry(server.database, new Date(now.getTime() + 500 * day))
    expect(
      await server.rows(
        `select (select count(*) from "telemetry5m") as "rows", (select count(*) from "telemetry1d") as "days"`,
      ),
    ).toEqual([{ rows: 0, days: 61 }])
  })

  it('has a column for every channel', async () => {
    const columns = await server.rows<{ table: string; name: string; type: string }>(
      `select table_name as "table", column_name as "name", udt_name as "type" from information_schema.columns where table_name in ('telemetry', 'telemetry5m')`,
    )
    const typeOf = (table: string, name: string) => columns.find((one) => one.table === table && one.name === name)?.type
    expect(channels.filter((channel) => typeOf('telemetry', channel.name) !== columnType(channel))).toEqual([])
    expect(rolledColumns(chartChannels).filter((name) => !typeOf('telemetry5m', name))).toEqual([])
  })
})
