import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prunePackages } from '#server/app/prune-packages.ts'
import { readConfig } from '#server/base/config.ts'
import type { Database } from '#server/db/connect.ts'
import { rowsOf } from '#server/db/query.ts'
import { engines, openProductTables } from '#tests/support/databases.ts'

const now = new Date('2026-03-02T12:00:00Z')
const statuses = ['VALID', 'DUPLICATE', 'PARTIAL', 'INVALID', 'UNKNOWN_VERSION'] as const
const board = '01890000-0000-7000-8000-000000000001'
/** More than one statement removes. */
const many = 6_000

describe.each(engines)('old packets on $name', (engine) => {
  let database: Database
  beforeAll(async () => {
    database = await openProductTables(engine)
  })
  afterAll(() => database.close())

  const rows = <T>(text: string) => rowsOf(database.kysely, sql.raw<T>(text))
  const add = (prefix: string, status: string, ageDays: number, count = 1) =>
    rows(`insert into "package" ("id", "controlPcbId", "receivedAt", "status", "createdAt", "updatedAt")
      select '${prefix}-' || "n", '${board}', timestamptz '${now.toISOString()}' - interval '${ageDays} days' - "n" * interval '1 ms', '${status}', now(), now()
        from generate_series(1, ${count}) "n"`)
  /** Ages in days that are there, by status. */
  async function agesByStatus(): Promise<Record<string, number[]>> {
    const kept = await rows<{ status: string; age: number }>(
      `select "status", floor(extract(epoch from timestamptz '${now.toISOString()}' - "receivedAt") / 86400)::int as "age" from "package" order by "receivedAt" desc`,
    )
    return Object.fromEntries(
      statuses.map((status) => [status, kept.filter((one) => one.status === status).map(({ age }) => age)]),
    )
  }
  async function prune(env: Record<string, string>, ages: readonly number[]) {
    await rows('delete from "package"')
    for (const status of statuses) for (const age of ages) await add(`${status}-${age}`, status, age)
    await prunePackages(database, readConfig(env), now)
    return agesByStatus()
  }

  it('go after 30 days when they are valid, and else after 180, unless the settings say otherwise', async () => {
    const [sound, other] = [[29], [29, 31, 179]]
    const usual = { VALID: sound, DUPLICATE: sound, PARTIAL: other, INVALID: other, UNKNOWN_VERSION: other }
    expect(await prune({}, [29, 31, 179, 181])).toEqual(usual)
    const [few, some] = [[6], [6, 8]]
    const chosen = { VALID: few, DUPLICATE: few, PARTIAL: some, INVALID: some, UNKNOWN_VERSION: some }
    expect(await prune({ PACKAGES_KEPT_DAYS: '7', DOUBTFUL_PACKAGES_KEPT_DAYS: '9' }, [6, 8, 10])).toEqual(chosen)
  })

  it('stay with a case file, by arrival and by the time of the board', async () => {
    await rows('delete from "package"')
    await add('arrived', 'VALID', 300)
    await add('made', 'INVALID', 200)
    await add('other', 'VALID', 250)
    await rows(`update "package" set "deviceTime" = "receivedAt" - interval '100 days' where "id" = 'made-1'`)
    await rows(`insert into "case_file" ("id", "code", "warningId", "controlPcbId", "startsAt", "endsAt")
      values ('${board}', 'CASE-1', 'w', '${board}', timestamptz '${now.toISOString()}' - interval '301 days', timestamptz '${now.toISOString()}' - interval '299 days')`)
    await prunePackages(database, readConfig({}), now)
    expect(await rows('select "id" from "package" order by "id"')).toEqual([{ id: 'arrived-1' }, { id: 'made-1' }])
    await rows('delete from "case_file"')
  })

  it('go in batches, all of them, past those that stay', async () => {
    await rows('delete from "package"')
    await add('doubtful', 'PARTIAL', 100, 10)
    await add('sound', 'VALID', 40, many)
    await add('later', 'VALID', 35, 10)
    await prunePackages(database, readConfig({}), now)
    expect(await rows('select "status", count(*)::int as "n" from "package" group by 1')).toEqual([
      { status: 'PARTIAL', n: 10 },
    ])
  })

  it('leave the counts by hour for 400 days', async () => {
    const hour = (days: number) => `timestamptz '${now.toISOString()}' - interval '${days} days'`
    await rows(
      `insert into "packageHour" ("controlPcbId", "hour", "valid") values ('${board}', ${hour(399)}, 1), ('${board}', ${hour(401)}, 2)`,
    )
    await prunePackages(database, readConfig({}), now)
    expect(await rows('select "valid" from "packageHour"')).toEqual([{ valid: 1 }])
  })
})
