import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/query.ts'
import { engines, oneEngine, openProductTables } from './databases.ts'

const namesOf = (file: string, wanted?: string, today?: number) => oneEngine(file, wanted, today).map(({ name }) => name)
const dayMs = 86_400_000

describe.each(engines)('a template on $name', (engine) => {
  it('gives two databases the tables of the product, and neither sees the rows of the other', async () => {
    const [one, other] = await Promise.all([openProductTables(engine), openProductTables(engine)])
    try {
      await sql`insert into "user" ("id", "email", "role") values (gen_random_uuid(), 'ann@example.com', 'admin')`.execute(
        one.kysely,
      )
      const users = sql<{ email: string }>`select "email" from "user"`
      expect(await rowsOf(one.kysely, users)).toEqual([{ email: 'ann@example.com' }])
      expect(await rowsOf(other.kysely, users)).toEqual([])
    } finally {
      await Promise.all([one.close(), other.close()])
    }
  })
})

describe('the engine of a file that does not depend on it', () => {
  it('is another one on the next day, and each has its turn', () => {
    const days = [0, 1, 2, 3].map((day) => namesOf('a.test.ts', '', day * dayMs))
    expect(new Set(days.flat())).toEqual(new Set(engines.map(({ name }) => name)))
    for (const names of days) expect(names).toHaveLength(1)
  })

  it('is both where CI_ENGINES asks for both, and an error where it asks for none that there is', () => {
    expect(namesOf('a.test.ts', 'both')).toEqual(engines.map(({ name }) => name))
    expect(namesOf('a.test.ts', 'PGlite')).toEqual(['PGlite'])
    expect(() => oneEngine('a.test.ts', 'Oracle')).toThrow('CI_ENGINES=Oracle')
  })
})
