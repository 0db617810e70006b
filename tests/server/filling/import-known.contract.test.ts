import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'
import type { ImportReport } from '#schema/wire/import-report.ts'
import { exportPart } from '#server/engine/export/export-part.ts'
import { fillingPart } from '#server/filling/filling-part.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { boothResources } from '#tests/support/booth-definitions.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

const access = { list: ['admin'], create: ['admin'], edit: ['admin'], delete: ['admin'] } as const

/** Nothing of it is unique. */
const note = defineResource({
  name: 'note',
  label: { one: ['Note', 'Записка'], many: ['Notes', 'Записки'] },
  title: 'name',
  fields: {
    name: { type: 'text', label: ['Name', 'Название'], required: true },
    body: { type: 'text', label: ['Body', 'Текст'], required: true },
  },
  access,
})

/** Its title may repeat, its number may not. */
const peg = defineResource({
  name: 'peg',
  label: { one: ['Peg', 'Крючок'], many: ['Pegs', 'Крючки'] },
  title: 'name',
  fields: {
    name: { type: 'text', label: ['Name', 'Название'], required: true },
    number: { type: 'integer', label: ['Number', 'Номер'], required: true, unique: true, immutable: true, min: 1 },
    coat: { type: 'text', label: ['Coat', 'Пальто'] },
  },
  access,
})

/** Known by a number as labels print it. */
const badge = defineResource({
  name: 'badge',
  label: { one: ['Badge', 'Бирка'], many: ['Badges', 'Бирки'] },
  title: 'name',
  fields: {
    name: { type: 'text', label: ['Name', 'Название'], required: true },
    uid: { type: 'hex', label: ['Number', 'Номер'], bytes: 6, required: true, unique: true, immutable: true },
  },
  access,
})

describe.each(oneEngine(import.meta.filename))('rows of a file whose title is not unique on $name', (engine) => {
  let server: ToyServer
  let as: string
  beforeAll(async () => {
    const definitions = definitionsOf([...boothResources, note, peg, badge])
    server = await openToyServer(engine, {}, definitions, [
      exportPart({ rules: {} }),
      fillingPart({ rules: {}, mailOf: mailerOf }),
    ])
    as = `admin:${(await server.made('user', { email: 'ann@example.com' })).id}`
  })
  afterAll(() => server.close())

  const send = async (target: string, query: string, text: string) => {
    const headers = { 'content-type': 'text/csv' }
    const answer = await server.call('POST', `import/${target}?${query}`, { as, body: text, headers })
    return { ...answer, report: answer.body as ImportReport }
  }
  const rowsOf = async (list: string) => (await server.get(list, as)).rows

  it('find their records by the fields that are unique together', async () => {
    await send('booth', '', 'hall,number,heldOn,label\nA,1,2026-05-01,Same\nA,2,2026-05-01,Same')
    const text = 'hall,number,heldOn,label,rooms\nA,1,01.05.2026,Same,3\nA,3,2026-05-01,Same,4'
    const skipped = await send('booth', 'dryRun=true', text)
    expect(skipped.report, skipped.text).toMatchObject({ created: 1, updated: 0, skipped: 1, failed: 0 })
    const { report, text: answer } = await send('booth', 'update=true', text)
    expect(report, answer).toMatchObject({ created: 1, updated: 1, skipped: 0, failed: 0 })
    expect(await rowsOf('booth?hall=A&_sort=number')).toMatchObject([
      { number: 1, rooms: 3, version: 2 },
      { number: 2, rooms: null, version: 1 },
      { number: 3, rooms: 4 },
    ])
    // A cell of them that is empty finds nothing.
    const { report: open } = await send('booth', 'update=true&dryRun=true', 'hall,number,heldOn,label\nA,,2026-05-01,Same')
    expect(open).toMatchObject({ created: 1, updated: 0, failed: 0 })
  })

  it('find their records by another unique field, of any type', async () => {
    await send('peg', '', 'number,name\n1,Left\n2,Left')
    const text = 'number,name,coat\n1,Left,blue\n2,Right,\n3,Left,red\nmany,Left,'
    expect((await send('peg', 'dryRun=true', text)).report).toMatchObject({ created: 1, skipped: 2, failed: 1 })
    const { report } = await send('peg', 'update=true&skipInvalid=true', text)
    expect(report).toMatchObject({ created: 1, updated: 2, failed: 1, faults: [{ row: 5, column: 'number' }] })
    expect(await rowsOf('peg?_sort=number')).toMatchObject([
      { number: 1, name: 'Left', coat: 'blue' },
      { number: 2, name: 'Right', coat: null },
      { number: 3, name: 'Left', coat: 'red' },
    ])
    const twice = await send('peg', 'dryRun=true', 'number,name\n7,Left\n7,Right')
    expect(twice.report.faults).toMatchObject([{ row: 3, column: 'number', message: 'Row 2 has the same value' }])
  })

  it('find their records by a number that is written in another form, which no one changes', async () => {
    await send('badge', '', 'name,uid\nFirst,E7C662A1AB01')
    const { report } = await send('badge', 'update=true', 'name,uid\nSecond,e7:c6:62:a1:ab:01')
    expect(report).toMatchObject({ created: 0, updated: 1 })
    expect(await rowsOf('badge')).toMatchObject([{ name: 'Second', uid: 'E7C662A1AB01' }])
  })

  it('are refused an update where the file fills nothing that finds them, with what is missing', async () => {
    const { status, body } = await send('booth', 'update=true&dryRun=true', 'hall,number\nA,1')
    expect([status, body]).toMatchObject([400, { code: 'import.key-not-filled' }])
    expect(String(Object(body).message)).toContain('Hall + Number + Day')
    expect((await send('peg', 'update=true', 'name\nLeft')).body).toMatchObject({ code: 'import.key-not-filled' })
    expect((await rowsOf('peg?name=Left')).length).toBe(2)
  })

  it('are refused an update where nothing of the resource is unique, and each makes a record without it', async () => {
    const text = 'name,body\nfree,one'
    expect((await send('note', '', text)).report).toMatchObject({ created: 1 })
    const { status, body } = await send('note', 'update=true', text)
    expect([status, body]).toMatchObject([400, { code: 'import.no-key' }])
    expect((await rowsOf('note')).length).toBe(1)
    expect((await send('note', '', text)).report).toMatchObject({ created: 1, skipped: 0 })
  })

  it('are taken again out of an export', async () => {
    const { text } = await server.get('export/booth?format=csv&columns=hall,number,heldOn,label,rooms,state', as)
    const { report, text: answer } = await send('booth', 'update=true', text)
    expect(report, answer).toMatchObject({ created: 0, updated: 0, failed: 0 })
    expect(report.skipped).toBe(report.total)
    const changed = await send('booth', 'update=true', text.replace(/Same,3,/, 'Same,5,'))
    expect(changed.report, text).toMatchObject({ created: 0, updated: 1, failed: 0 })
  })
})
