import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensurePartitions } from '#server/fleet/telemetry/monthly-partitions.ts'
import { rollUp } from '#server/fleet/telemetry/roll-up.ts'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'

/** Growth of each counter in an hour, in Wh. */
const perHour = { loadEnergyWh: 100, gridImportEnergyWh: 40, pvEnergyWh: 80, gridExportEnergyWh: 20 } as const
const battery = { chargeEnergyWh: 50, dischargeEnergyWh: 45 } as const

describe.each(oneEngine(import.meta.filename))('shares of energy on $name', (engine) => {
  let server: BoardServer
  let board: TestBoard
  const now = new Date('2026-03-02T00:00:00Z')
  const from = '2026-01-28T00:00:00Z'
  beforeAll(async () => {
    server = await openBoardServer(engine, { at: now })
    board = await server.addBoard({ timezone: 'UTC' })
    await ensurePartitions(server.database, new Date(from), now)
    await server.rows(`insert into "boardState" ("controlPcbId", "reportIntervalS") values ('${board.id}', 3600)`)
    const counters = { ...perHour, ...battery }
    await server.rows(
      `insert into "telemetry" ("controlPcbId", "ts", "receivedAt", "quality", "socPct", ${Object.keys(counters)
        .map((name) => `"${name}"`)
        .join(', ')}) select '${board.id}', "ts", "ts", 0, 50, ${Object.values(counters)
        .map((growth) => `${growth} * (extract(epoch from "ts")::int8 / 3600 - 490000)`)
        .join(', ')} from generate_series('${from}'::timestamptz, '2026-03-01T23:00:00Z', interval '1 hour') as "ts"`,
    )
    await server.rows(
      `insert into "telemetryOpenHour" select '${board.id}', "ts" from "telemetry" where "controlPcbId" = '${board.id}' on conflict do nothing`,
    )
    await server.rows(`insert into "telemetryOpenDay" select '${board.id}', "ts", "ts" + interval '1 day'
      from generate_series('${from}'::timestamptz, '2026-03-01T00:00:00Z', interval '1 day') as "ts"`)
  }, 120_000)
  afterAll(() => server?.close())

  const lines = async (query: string) => {
    const { text } = await server.call(
      'GET',
      `telemetry/export?controlPcbId=${board.id}&from=${from}&to=${now.toISOString()}&${query}`,
    )
    const rows = text
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','))
    return { head: rows[0] ?? [], rows: rows.slice(1) }
  }
  const all = Object.keys({ ...perHour, ...battery })
    .map((name) => `channel=${name}`)
    .join('&')

  it('are exported with days: what did not come from the grid, and what of the sun was not sent there', async () => {
    const { head, rows } = await lines(`resolution=1d&${all}`)
    expect(head.slice(-2)).toEqual(['selfSufficiency (%)', 'selfConsumption (%)'])
    expect(rows[3]?.slice(-2)).toEqual(['60', '75'])
  })

  it('are exported with months, with what the battery gives back once a week is known, rolled up or not', async () => {
    const { head, rows } = await lines(`resolution=month&${all}`)
    expect(head.slice(-3)).toEqual(['selfSufficiency (%)', 'selfConsumption (%)', 'roundTripEfficiency (%)'])
    const shown = (of: string[][]) => of.map((row) => [row[1], ...row.slice(-3)])
    const expected = [
      ['2026-01', '60', '75', ''],
      ['2026-02', '60', '75', '90'],
      ['2026-03', '60', '75', ''],
    ]
    expect(shown(rows)).toEqual(expected)
    await rollUp(server.database, now)
    expect(shown((await lines(`resolution=month&${all}`)).rows)).toEqual(expected)
  })

  it('are left out where a counter of theirs is not asked for, and in smaller buckets', async () => {
    const few = await lines('resolution=1d&channel=loadEnergyWh&channel=pvEnergyWh&channel=gridExportEnergyWh')
    expect(few.head.slice(-1)).toEqual(['selfConsumption (%)'])
    expect((await lines(`resolution=1h&${all}`)).head.join()).not.toContain('self')
  })
})
