import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'
import type { ImportReport } from '#schema/wire/import-report.ts'
import { fillingPart } from '#server/filling/filling-part.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { boothDefinitions } from '#tests/support/booth-definitions.ts'
import { engines } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

const staff = ['admin', 'moderator'] as const

const plot = defineResource({
  name: 'plot',
  label: { one: ['Plot', 'Участок'], many: ['Plots', 'Участки'] },
  title: 'code',
  fields: {
    code: { type: 'text', label: ['Code', 'Код'], required: true, unique: true },
    kind: { type: 'enum', label: ['Kind', 'Вид'], options: ['A', 'B'] },
    note: { type: 'text', label: ['Note', 'Заметка'] },
  },
  access: { list: staff, create: staff, edit: staff },
  scope: { admin: { field: 'kind', op: 'eq', value: 'A' } },
})

/** The scope asks what the server works out: it is known of written records only. */
const well = defineResource({
  ...plot,
  name: 'well',
  label: { one: ['Well', 'Колодец'], many: ['Wells', 'Колодцы'] },
  fields: { ...plot.fields, isDeep: { type: 'boolean', label: ['Deep', 'Глубокий'], derived: true } },
  scope: { admin: { field: 'isDeep', op: 'eq', value: true } },
})

const user = [boothDefinitions.get('user')].flatMap((one) => one ?? [])

describe.each(engines)('an import by somebody whose role has a scope on $name', (engine) => {
  let server: ToyServer
  let as: string
  beforeAll(async () => {
    const rules = { well: { derived: { isDeep: sql<boolean>`"t"."kind" = 'A'` } } }
    server = await openToyServer(engine, rules, definitionsOf([plot, well, ...user]), [
      fillingPart({ rules, mailOf: mailerOf }),
    ])
    as = `admin:${(await server.made('user', { email: 'ann@example.com' })).id}`
  }, 60_000)
  afterAll(() => server.close())

  const send = async (query: string, text: string, target = 'plot') => {
    const headers = { 'content-type': 'text/csv' }
    const answer = await server.call('POST', `import/${target}?${query}`, { as, body: text, headers })
    return { ...answer, report: answer.body as ImportReport }
  }
  const stored = (table: string) => server.select(`select "code", "note" from "${table}" order by "code"`)

  it('makes no record outside of it, and names the rows', async () => {
    expect((await server.post('plot', { code: 'out', kind: 'B' }, as)).status).toBe(403)
    const file = 'code,kind\nout,B\nin,A\nempty,'
    const foreseen = await send('dryRun=true', file)
    const message = expect.stringMatching(/outside of what your role/)
    expect(foreseen.report).toMatchObject({
      created: 1,
      failed: 2,
      faults: [
        { row: 2, column: null, message },
        { row: 4, column: null, message },
      ],
    })
    expect((await send('skipInvalid=true', file)).report).toMatchObject({ created: 1, failed: 2 })
    expect(await stored('plot')).toEqual([{ code: 'in', note: null }])
  })

  it('changes no record outside of it: its value is taken, as for a record that is made', async () => {
    expect((await server.post('plot', { code: 'theirs', kind: 'B', note: 'kept' }, 'moderator')).status).toBe(201)
    for (const query of ['update=true', 'update=false']) {
      const { report } = await send(`dryRun=true&${query}`, 'code,kind,note\ntheirs,A,taken')
      expect(report).toMatchObject({ updated: 0, skipped: 0, failed: 1, faults: [{ row: 2, column: 'code' }] })
    }
    await send('update=true&skipInvalid=true', 'code,kind,note\ntheirs,A,taken\nin,A,mine')
    expect(await stored('plot')).toEqual([
      { code: 'in', note: 'mine' },
      { code: 'theirs', note: 'kept' },
    ])
  })

  it('is asked once more of the written records, for what the server works out', async () => {
    expect((await send('', 'code,kind\nW1,A', 'well')).report).toMatchObject({ created: 1, failed: 0 })
    const refused = await send('', 'code,kind\nW2,A\nW3,B', 'well')
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(await stored('well')).toEqual([{ code: 'W1', note: null }])
  })
})
