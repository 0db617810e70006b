import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkResources } from '#schema/check-resources.ts'
import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'
import { archiveTable } from '#server/engine/changes/left-tables.ts'
import { exportPart } from '#server/engine/export/export-part.ts'
import { fillingPart } from '#server/filling/filling-part.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { boothDefinitions } from '#tests/support/booth-definitions.ts'
import { engines } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

const staff = ['admin', 'moderator'] as const
const open = { list: staff, create: staff, edit: staff, delete: staff }

const letters = [
  'r',
  's',
  't',
  'x',
  'l',
  'o',
  'n',
  'e',
  'i',
  'm',
  'w',
  'key',
  'at',
  'up',
  'json',
  'named',
  'total',
  'used',
] as const
type Text = { type: 'text'; label: readonly [string, string]; search: true }
const texts = Object.fromEntries(
  letters.map((name): [string, Text] => [name, { type: 'text', label: [`Phase ${name}`, `Фаза ${name}`], search: true }]),
) as Record<(typeof letters)[number], Text>

/** The phases of a three-phase line are R, S and T, and other short names are as plausible. Its table is called like a type. */
const line = defineResource({
  name: 'line',
  label: { one: ['Line', 'Линия'], many: ['Lines', 'Линии'] },
  title: 'code',
  unique: [['r', 's', 't']],
  fields: {
    code: { type: 'text', label: ['Code', 'Код'], required: true, unique: true },
    ...texts,
    partOfId: { type: 'reference', label: ['Part of', 'Часть'], to: 'line' },
    besideIds: { type: 'references', label: ['Beside', 'Рядом'], to: 'line' },
    side: {
      type: 'group',
      label: ['Side', 'Сторона'],
      fields: { s: { type: 'text', label: ['S', 'С'] }, lineId: { type: 'reference', label: ['Line', 'Линия'], to: 'line' } },
    },
    parts: { type: 'count', label: ['Parts', 'Части'], of: 'line', by: 'partOfId' },
  },
  summary: ['code', 's', 't', 'side.s'],
  list: { columns: ['code', 'r', 's', 't', 'partOfId', 'besideIds', 'side'] },
  actions: { turn: { label: ['Turn', 'Повернуть'], form: { r: { type: 'text', label: ['R', 'Р'] } } } },
  access: open,
})

/** Its references travel with their records as `r`, `s` and `t`. */
const meter = defineResource({
  name: 'meter',
  label: { one: ['Meter', 'Счётчик'], many: ['Meters', 'Счётчики'] },
  title: 'code',
  fields: {
    code: { type: 'text', label: ['Code', 'Код'], required: true, unique: true },
    rId: { type: 'reference', label: ['On R', 'На R'], to: 'line' },
    sId: { type: 'reference', label: ['On S', 'На S'], to: 'line' },
    tId: { type: 'reference', label: ['On T', 'На T'], to: 'line' },
  },
  access: open,
})

const user = [boothDefinitions.get('user')].flatMap((one) => one ?? [])
const definitions = definitionsOf([line, meter, ...user])

describe.each(engines)('a resource whose fields have short names on $name', (engine) => {
  let server: ToyServer
  let id: string
  beforeAll(async () => {
    const more = [exportPart({}), fillingPart({ rules: {}, mailOf: mailerOf })]
    server = await openToyServer(engine, {}, definitions, more)
    const root = await server.made('line', { code: 'L0', s: 'S0', side: { s: 'left' } })
    const phases = Object.fromEntries(letters.map((name) => [name, `${name} 1`]))
    const body = { code: 'L1', ...phases, partOfId: root.id, besideIds: [root.id], side: { s: 'right', lineId: root.id } }
    id = String((await server.made('line', body)).id)
  })
  afterAll(() => server.close())

  const summary = { code: 'L0', s: 'S0', t: null, side_s: 'left' }

  it('is shown with the records that it points to', async () => {
    const shown = (await server.get(`line/${id}`)).body
    expect(shown).toMatchObject({
      r: 'r 1',
      s: 's 1',
      t: 't 1',
      partOf: summary,
      besideIdsRef: [summary],
      side: { line: summary },
    })
  })

  it('is listed, filtered, sorted, searched and exported', async () => {
    for (const name of letters) {
      const query = `${name}=${encodeURIComponent(`${name} 1`)}&_sort=${name}&q=${encodeURIComponent(`${name} 1`)}`
      const { rows, text } = await server.get(`line?${query}`)
      expect(rows, text).toMatchObject([{ code: 'L1', r: 'r 1', s: 's 1', t: 't 1', partOf: summary, side: { line: summary } }])
    }
    const { status, text } = await server.get('export/line?columns=code,r,s,t,partOfId&_sort=code')
    expect([status, text.split('\r\n').slice(1, 3)]).toEqual([200, ['L0,,S0,,', 'L1,r 1,s 1,t 1,L0']])
  })

  it('is changed by forms and actions, and keeps its tree', async () => {
    const { version } = (await server.get(`line/${id}`)).body
    const changed = await server.put(`line/${id}`, { version, s: 'S1', t: 'T1' })
    expect(changed.body, changed.text).toMatchObject({ s: 'S1', t: 'T1' })
    expect((await server.put(`line/${id}`, { version: changed.body.version, s: 's 1', t: 't 1', partOfId: id })).status).toBe(
      400,
    )
    expect((await server.put(`line/${id}/turn`, { r: 'R1' })).body).toMatchObject({ r: 'R1' })
    expect((await server.put(`line/${id}/turn`, { r: 'r 1' })).status).toBe(200)
  })

  it('is deleted once nothing uses it', async () => {
    const made = await server.made('line', { code: 'L2', r: 'r', s: 's', t: 't' })
    const used = await server.made('meter', { code: 'M1', rId: made.id, sId: id, tId: made.id })
    expect(used).toMatchObject({ r: { code: 'L2' }, s: { code: 'L1' }, t: { code: 'L2' } })
    expect((await server.get('meter')).rows).toMatchObject([{ r: { code: 'L2' }, s: { code: 'L1' }, t: { code: 'L2' } }])
    expect((await server.delete(`line/${made.id}`)).body).toMatchObject({ uses: [{ resource: 'meter', count: 1 }] })
    expect((await server.delete(`meter/${used.id}`)).status).toBe(204)
    expect((await server.delete(`line/${made.id}`)).status).toBe(204)
  })

  it('is imported, and the import is undone', async () => {
    const as = `admin:${(await server.made('user', { email: 'ann@example.com' })).id}`
    const headers = { 'content-type': 'text/csv' }
    const answer = await server.call('POST', 'import/line', { as, body: 'code,r,s,t,partOfId\nL3,a,b,c,L1', headers })
    expect(answer.body, answer.text).toMatchObject({ created: 1 })
    const undone = await server.post(`import-job/${answer.body.jobId}/undo`, undefined, as)
    expect([undone.status, undone.body.removed], undone.text).toEqual([200, 1])
  })

  it('is archived with every value when it is removed', async () => {
    const db = server.database.kysely
    await sql`create table "spare" ("id" text primary key, "r" text, "t" text)`.execute(db)
    await sql`insert into "spare" values ('1', 'R', 'T')`.execute(db)
    await sql`insert into "appliedPlan" ("id", "version", "plan", "rows") values ('plan', '1', '{}', 1)`.execute(db)
    await archiveTable(db, 'plan', { table: 'spare', resource: 'spare' })
    expect(await server.select(`select "field", "value" from "planArchive" order by "field"`)).toEqual([
      { field: 'r', value: 'R' },
      { field: 't', value: 'T' },
    ])
  })
})

describe('names of system columns', () => {
  it('are refused as names of fields', () => {
    for (const name of ['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid']) {
      const fields = { code: { type: 'text', label: ['Code', 'Код'] }, [name]: { type: 'text', label: ['Own', 'Своё'] } }
      const faults = checkResources([{ name: 'wire', label: { one: ['Wire', 'Провод'], many: ['Wires', 'Провода'] }, fields }])
      expect(faults.map(({ code, path }) => [code, path])).toEqual([['reserved-name', `wire.fields.${name}`]])
    }
  })
})
