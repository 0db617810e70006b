import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resources } from '#resources/index.ts'
import { type Definitions, definitionsOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { runPlan } from '#server/app/plan-command.ts'
import { openDatabase } from '#server/db/connect.ts'
import { jobsLease, Lease } from '#server/db/jobs/lease.ts'
import { prepareTables } from '#server/engine/changes/prepare-tables.ts'
import { embeddedFolder, engines } from '#tests/support/databases.ts'
import { createTestDatabase } from '#tests/support/postgres.ts'
import { migrated, productTables } from '#tests/support/templates.ts'

const label = ['Words', 'Слова'] as const
const withFields = (fields: AnyResource['fields']): Definitions =>
  definitionsOf(
    resources.map((resource) =>
      resource.name === 'guest' ? { ...resource, fields: { ...resource.fields, ...fields } } : resource,
    ),
  )
const said: Record<string, string> = {}

describe.each(engines)('npm run plan on $name', ({ name }) => {
  let env: NodeJS.ProcessEnv
  let remove: () => Promise<void> | void
  const settings = () => ({ dataDir: String(env.DATA_DIR), databaseUrl: env.DATABASE_URL })
  const inDatabase = async (text: string) => {
    const database = await openDatabase(settings())
    const { rows } = await database.pool.query(text)
    await database.close()
    return rows
  }
  beforeAll(async () => {
    if (name === 'PGlite') {
      const dataDir = await embeddedFolder(productTables)
      env = { DATA_DIR: dataDir }
      remove = () => rmSync(dataDir, { recursive: true })
    } else {
      const database = await createTestDatabase()
      env = { DATA_DIR: tmpdir(), DATABASE_URL: database.url }
      remove = database.drop
      const fresh = await openDatabase(settings())
      await migrated.fill(fresh)
      await productTables.fill(fresh)
      await fresh.close()
    }
  })
  afterAll(() => remove())

  const plan = async (definitions: Definitions, ...options: string[]) => {
    const lines: string[] = []
    const code = await runPlan(options, env, { print: (text) => lines.push(text), definitions, rules: {} })
    return { code, text: lines.join('\n') }
  }

  it('has nothing to say of a database that fits', async () => {
    expect(await plan(definitionsOf(resources))).toEqual({ code: 0, text: 'The database fits the definitions.' })
  })

  it('tells what blocks with its rows and ends with 1, tells what waits, applies it and ends with 0', async () => {
    const database = await openDatabase(settings())
    await prepareTables(database, withFields({ motto: { type: 'text', label } }), {})
    await database.close()
    await inDatabase(`insert into "guest" ("id", "motto") values ('g1', 'x'), ('g2', 'x')`)

    const blocked = await plan(withFields({ saying: { type: 'text', label, unique: true, was: 'motto' } }))
    expect(blocked.code).toBe(1)
    expect(blocked.text).toContain('guest.saying: 2 rows hold a value that another one holds')
    expect(blocked.text).toContain('g1: "x"; g2: "x"')
    const lost = await plan(definitionsOf(resources), '--apply')
    expect([lost.code, lost.text]).toEqual([1, expect.stringContaining('guest.motto: 2 values are in the database')])

    const next = withFields({ saying: { type: 'text', label, was: 'motto' }, age: { type: 'integer', label } })
    const waiting = await plan(next)
    expect(waiting.code).toBe(0)
    expect(waiting.text).toContain('guest.saying: is renamed from motto (2 rows)')
    expect(waiting.text).toContain('Added by the next start:\n  guest.age')
    const json: unknown = JSON.parse((await plan(next, '--json')).text)
    expect(json).toMatchObject({
      plan: { steps: [{ kind: 'rename', from: 'motto', field: 'saying', rows: 2 }], obstacles: [] },
    })
    said[name] = JSON.stringify(json) + waiting.text + blocked.text

    expect(await plan(next, '--apply')).toEqual({
      code: 0,
      text: expect.stringMatching(
        /^Applied as plan [\w-]+:\n {2}guest\.saying: is renamed from motto \(2 rows\)\nThe servers can start\.$/,
      ),
    })
    expect(await inDatabase(`select "saying" from "guest" order by "id"`)).toEqual([{ saying: 'x' }, { saying: 'x' }])
    expect(await plan(next, '--apply', '--purge')).toEqual({
      code: 0,
      text: 'Removed 0 values from the archive.\nThere is nothing to apply.',
    })
  })

  it('counts a single row as one', async () => {
    await inDatabase(`update "guest" set "saying" = null where "id" = 'g2'`)
    const renamed = withFields({ words: { type: 'text', label, was: 'saying' } })
    expect((await plan(renamed, '--apply')).text).toContain('\n  guest.words: is renamed from saying (1 row)\n')
    await plan(withFields({ saying: { type: 'text', label, was: 'words' } }), '--apply')
    await inDatabase(`update "guest" set "saying" = 'x' where "id" = 'g2'`)
  })

  it('says the same on every engine', () => {
    expect(new Set(Object.values(said)).size).toBe(1)
  })

  it('says first that the definitions have faults, where they have', async () => {
    const broken = withFields({ motto: { type: 'files', label, convert: { from: 'text' } } })
    await expect(plan(broken)).rejects.toThrow(
      /mend what `npm run check` says first\.\n1 fault in the definitions\n.*guest\.fields\.motto\.convert\.from/,
    )
  })

  it('reads a database that is in use where it is a server, and says how to plan on a copy where it is embedded', async () => {
    const inUse = await openDatabase(settings())
    const asked = plan(definitionsOf(resources)).then(({ text }) => text, String)
    const expected =
      name === 'PGlite'
        ? /is in use by process \d+\. Stop it first[\s\S]*npm run backup -- [\s\S]*npm run plan$/
        : /guest\.saying: 2 values are in the database/
    const words = await asked.finally(() => inUse.close())
    expect(words).toMatch(expected)
    expect(words.includes('in use')).toBe(name === 'PGlite')
  })

  it('is not applied while a server runs on the database, unless it is asked for', async () => {
    const database = await openDatabase(settings())
    const lease = new Lease(database, { name: jobsLease, lifeMs: 60_000 })
    await lease.take()
    const lone = name === 'PGlite'
    // The embedded database is open here alone: a lease in it is the rest of a process that broke off.
    if (lone) await database.close()
    const next = withFields({ saying: { type: 'text', label, was: 'motto' } })
    const applied = plan(next, '--apply').then(({ text }) => text, String)
    expect(await applied).toContain(lone ? 'There is nothing to apply.' : 'A server runs on this database')
    expect(await plan(next)).toMatchObject({ code: 0 })
    expect(await plan(next, '--apply', '--beside-servers')).toMatchObject({ text: 'There is nothing to apply.' })
    if (lone) return
    await lease.release()
    await database.close()
    expect(await plan(next, '--apply')).toMatchObject({ text: 'There is nothing to apply.' })
  })

  it('refuses an option that it does not know, and a purge alone', async () => {
    await expect(plan(definitionsOf([]), '--aply')).rejects.toThrow(
      'There is no --aply: use --json, --apply, --purge, --beside-servers',
    )
    await expect(plan(definitionsOf([]), '--purge')).rejects.toThrow('say --apply with it')
  })
})
