import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inSchemaChange } from '#server/db/migrate.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { openByOneRule } from '#server/fleet/telemetry/days/day-steps.ts'
import { insertSamples } from '#server/fleet/telemetry/insert-samples.ts'
import { ensurePartitions } from '#server/fleet/telemetry/monthly-partitions.ts'
import { rollUp } from '#server/fleet/telemetry/roll-up.ts'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { engines } from '#tests/support/databases.ts'

const minute = 60_000
const hour = 60 * minute
/** Midnight in Moscow. */
const start = new Date('2026-03-01T21:00:00Z')
const at = (hours: number) => new Date(start.getTime() + hours * hour)

type Counted = readonly (readonly [hours: number, loadEnergyWh: number])[]
/** Samples every five minutes that count 1 Wh a minute, also while none is sent. */
const steady = (from: number, to: number): Counted =>
  Array.from({ length: Math.round((to - from) * 12) }, (_, index) => {
    const hours = from + index / 12
    return [hours, 10_000 + Math.round(hours * 60)]
  })
const tables = { telemetry5m: `'5 min'`, telemetry1h: `'1 hour'`, telemetry1d: `'1 day'` }

describe.each(engines)('hours rolled up by a release that did not share growth on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await openBoardServer(engine, { at: at(30) })
    await ensurePartitions(server.database, at(-24), at(96))
  })
  afterAll(() => server.close())

  const store = async (board: TestBoard, counted: Counted) => {
    const facts = { controlPcbId: board.id, essId: board.essId, packageId: null, receivedAt: server.now }
    const rows = counted.map(([hours, loadEnergyWh]) => ({
      ...facts,
      sample: { at: at(hours), quality: 'GOOD' as const, values: { loadEnergyWh } },
    }))
    await inTransaction(server.database, (db) => insertSamples(db, rows))
  }
  const rolled = (until = at(200)) => rollUp(server.database, until)
  const rowsOf = (table: string, { id }: TestBoard) =>
    server.rows(
      `select "ts", "loadEnergyWhSum", "seconds", "gapSeconds" from "${table}" where "controlPcbId" = '${id}' order by 1`,
    )

  /** Gives rolled-up rows what the older release booked: growth at the sample that ended a silence, and no row within it. */
  const bookAsBefore = async ({ id }: TestBoard) => {
    for (const [table, step] of Object.entries(tables)) {
      await server.rows(`delete from "${table}" where "controlPcbId" = '${id}' and "seconds" = 0`)
      await server.rows(`update "${table}" "r" set "gapSeconds" = null, "loadEnergyWhSum" = "g"."wh" from (
          select date_bin(${step}, "ts", '${start.toISOString()}') as "bin", sum("wh") as "wh" from (select "ts",
              "loadEnergyWh" - lag("loadEnergyWh") over (order by "ts") as "wh" from "telemetry" where "controlPcbId" = '${id}') "t" group by 1) "g"
        where "r"."controlPcbId" = '${id}' and "r"."ts" = "g"."bin"`)
    }
  }

  /** Stores and rolls up as before, then does something; the rows are those of a board for which all of it was done by this release. */
  const expectSame = async ({ known, late }: { known: Counted; late: Counted }) => {
    const [older, sound] = [await server.addBoard(), await server.addBoard()]
    await store(older, known)
    await rolled()
    await bookAsBefore(older)
    await store(older, late)
    await store(sound, [...known, ...late])
    await rolled()
    for (const table of Object.keys(tables))
      expect([table, await rowsOf(table, older)]).toEqual([table, await rowsOf(table, sound)])
  }

  it('share the growth of a silence that ended in an hour that is open when this release starts', async () => {
    const [older, sound] = [await server.addBoard(), await server.addBoard()]
    const known = [...steady(0, 6), ...steady(50.25, 50.5)]
    await store(older, known)
    await rolled(at(50.5))
    await bookAsBefore(older)
    await inSchemaChange(server.database, openByOneRule)
    const further = steady(50.5, 53)
    await store(older, further)
    await store(sound, [...known, ...further])
    await rolled()
    for (const table of Object.keys(tables))
      expect([table, await rowsOf(table, older)]).toEqual([table, await rowsOf(table, sound)])
  })

  it('share the growth of a silence once a late frame comes into the hour that ended it', async () => {
    await expectSame({ known: [...steady(0, 6), ...steady(30.25, 33)], late: [[30.25 + 1 / 60, 10_000 + 30.25 * 60 + 1]] })
  })

  it('count once what grew in a silence that begins in an hour that a late frame opens', async () => {
    const known = [...steady(0, 3), ...steady(5, 5.5), ...steady(9.25, 12)]
    await expectSame({ known, late: [[3.5, 10_000 + 3.5 * 60]] })
  })

  it('share the growth of each of several silences in a row', async () => {
    const known = [0, 20, 40].flatMap((from) => steady(from, from + 0.5))
    await expectSame({ known, late: [[40.25 + 1 / 60, 10_000 + 40.25 * 60 + 1]] })
  })

  it('are rolled up again for a few hours alone where a board is slower than its interval says', async () => {
    const board = await server.addBoard()
    const known = steady(0, 24).filter((_, index) => index % 3 === 0)
    await store(board, known)
    await rolled()
    await bookAsBefore(board)
    await store(board, [[12.1, 10_000 + 12.1 * 60]])
    const open = await server.rows<{ hour: Date }>(
      `select "hour" from "telemetryOpenHour" where "controlPcbId" = '${board.id}' order by 1`,
    )
    expect(open).toHaveLength(8)
  })
})
