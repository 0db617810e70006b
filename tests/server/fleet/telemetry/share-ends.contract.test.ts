import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensurePartitions } from '#server/fleet/telemetry/monthly-partitions.ts'
import { rollUp } from '#server/fleet/telemetry/roll-up.ts'
import { type BoardServer, openBoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'

const hourMs = 3_600_000
const now = new Date('2026-03-02T00:00:00Z')
const from = new Date('2026-02-01T00:00:00Z')

type Values = Readonly<Record<string, number | null>>

describe.each(oneEngine(import.meta.filename))('a share of energy on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await openBoardServer(engine, { at: now })
    await ensurePartitions(server.database, from, now)
  }, 120_000)
  afterAll(() => server?.close())

  /** A board with a sample each half hour: the last cells of its day or month, as samples, and rolled up. */
  async function sharesOf(
    resolution: string,
    hours: number,
    valuesAt: (hour: number) => Values | null,
    moves: readonly Move[] = [],
  ): Promise<(string | undefined)[][]> {
    const { id, essId } = await server.addBoard({ timezone: 'UTC' })
    await server.rows(`update "ess" set "ratedEnergyWh" = 10000 where "id" = '${essId}'`)
    const rows = Array.from({ length: 2 * hours + 1 }, (_, index) => ({
      ts: new Date(from.getTime() + (index * hourMs) / 2),
      values: valuesAt(index / 2),
    })).flatMap(({ ts, values }) => (values ? [{ ts, values }] : []))
    const names = Object.keys(rows[0]?.values ?? {})
    const cells = rows.map(
      ({ ts, values }) =>
        `('${id}', '${ts.toISOString()}', '${ts.toISOString()}', 0, ${names.map((name) => values[name] ?? 'null').join(', ')})`,
    )
    await server.rows(`insert into "boardState" ("controlPcbId", "reportIntervalS") values ('${id}', 1800)
      on conflict ("controlPcbId") do update set "reportIntervalS" = 1800`)
    await server.rows(`insert into "telemetry" ("controlPcbId", "ts", "receivedAt", "quality", ${names.map((name) => `"${name}"`).join(', ')})
      values ${cells.join(', ')}`)
    await server.rows(`insert into "telemetryOpenHour" select distinct '${id}'::uuid, date_trunc('hour', "ts") from "telemetry"
      where "controlPcbId" = '${id}'`)
    await server.rows(`insert into "telemetryOpenDay" select distinct '${id}'::uuid, date_trunc('day', "ts"), date_trunc('day', "ts") + interval '1 day'
      from "telemetry" where "controlPcbId" = '${id}'`)
    const channels = names.filter((name) => name.endsWith('EnergyWh')).map((name) => `channel=${name}`)
    const read = async (subject = `controlPcbId=${id}`) => {
      const to = new Date(from.getTime() + Math.ceil(hours / 24) * 24 * hourMs)
      const path = `telemetry/export?${subject}&from=${from.toISOString()}&to=${to.toISOString()}&resolution=${resolution}`
      // Exports are limited per minute.
      server.pass(10)
      const { text } = await server.call('GET', `${path}&${channels.join('&')}`)
      return text.split('\r\n')[1]?.split(',').at(-1)
    }
    const asSamples = await read()
    await rollUp(server.database, now)
    const found = [[asSamples, await read()]]
    for (const move of moves) {
      await move({ id, essId })
      found.push([await read(), await read(`essId=${essId}`)])
    }
    return found
  }
  type Move = (board: { id: string; essId: string | null }) => Promise<unknown>
  const leavesAt =
    (hours: number): Move =>
    async ({ id }) => {
      const removedAt = new Date(from.getTime() + hours * hourMs).toISOString()
      await server.rows(
        `update "control_pcb_attachment" set "removedAt" = '${removedAt}' where "controlPcbId" = '${id}' and "removedAt" is null`,
      )
      await server.rows(`update "control_pcb" set "essId" = null, "role" = null where "id" = '${id}'`)
    }
  /** To a system of four times the rating. */
  const comesAt =
    (hours: number): Move =>
    async ({ id }) => {
      const { id: former, essId } = await server.addBoard({ timezone: 'UTC' })
      const attachedAt = new Date(from.getTime() + hours * hourMs).toISOString()
      await server.rows(`update "ess" set "ratedEnergyWh" = 40000 where "id" = '${essId}'`)
      await server.rows(
        `delete from "control_pcb_attachment" where "controlPcbId" = '${former}';
        update "control_pcb" set "essId" = null, "role" = null where "id" = '${former}'`,
      )
      await server.rows(`insert into "control_pcb_attachment" ("id", "controlPcbId", "essId", "role", "attachedAt")
        values ('${id}-${hours}', '${id}', '${essId}', 'MAIN', '${attachedAt}')`)
      await server.rows(`update "control_pcb" set "essId" = '${essId}', "role" = 'MAIN' where "id" = '${id}'`)
    }
  const dayOf = (importUntil: number) =>
    sharesOf('1d', 23.5, (hour) => ({
      loadEnergyWh: 500_000 + 1_000 * hour,
      gridImportEnergyWh: hour > importUntil ? null : 400_000 + 100 * hour,
    }))

  it('is of counters that are known for the same time: an import meter that falls silent at ten leaves it open', async () => {
    expect(await dayOf(24)).toEqual([['90', '90']])
    expect(await dayOf(10)).toEqual([['', '']])
  })

  it('is of counters that are known for the same time: one that was reset in a silence leaves it open', async () => {
    const silent = (until: number, resetWh: number) =>
      sharesOf('1d', 23.5, (hour) =>
        hour > 8 && hour < until
          ? null
          : { loadEnergyWh: 500_000 + 1_000 * hour, gridImportEnergyWh: (hour > 8 ? resetWh : 400_000) + 100 * hour },
      )
    expect(await silent(17, 400_000)).toEqual([['90', '90']])
    expect(await silent(17, 50)).toEqual([['', '']])
  })

  // Charged by 1 kW for 8 h, discharged by 800 Wh a day, 4 % lost each way: 92.2 % of what goes in comes out.
  const cycle = (days: number, known: (storedWh: number) => Values, moves: readonly Move[] = []) =>
    sharesOf(
      'month',
      days * 24,
      (hour) => {
        const inWh = 1_000 * Math.min(hour, 8)
        const outWh = (Math.max(0, hour - 8) * 800) / 24
        const storedWh = 2_000 + inWh * 0.96 - outWh / 0.96
        return {
          chargeEnergyWh: 500_000 + Math.round(inWh),
          dischargeEnergyWh: 400_000 + Math.round(outWh),
          ...known(storedWh),
        }
      },
      moves,
    )
  const energy = (storedWh: number) => ({ energyAvailableWh: Math.round(storedWh) })
  const charge = (storedWh: number) => ({ socPct: Math.round(storedWh / 10) / 10 })

  it('of what a battery gives back is that between equal charge, whatever is left in it at the end', async () => {
    expect(await cycle(9, energy)).toEqual([['92.2', '92.2']])
    expect(await cycle(8, charge)).toEqual([['92.2', '92.2']])
    expect(await cycle(9, () => ({})), 'without the energy that it held').toEqual([['', '']])
  })

  it('of what a battery gives back is by the rating of the system where its board stood', async () => {
    const [before, gone, elsewhere] = await cycle(8, charge, [leavesAt(8 * 24 + 1), comesAt(8 * 24 + 2)])
    expect([before, gone, elsewhere]).toEqual(Array(3).fill(['92.2', '92.2']))
  })

  it('of what a battery gives back is open for a board that was at two of them', async () => {
    for (const known of [charge, energy]) {
      const [, , moved] = await cycle(10, known, [leavesAt(8 * 24), comesAt(8 * 24 + 2)])
      expect(moved).toEqual(['', '92.2'])
    }
  })
})
