import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'
import { fillingPart } from '#server/filling/filling-part.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { boothDefinitions } from '#tests/support/booth-definitions.ts'
import { engines } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

const isRemote = { field: 'kind', op: 'eq', value: 'REMOTE' } as const
const kind = { type: 'enum', label: ['Kind', 'Вид'], options: ['REMOTE', 'BASIC'], required: true } as const
const portal = defineResource({
  name: 'portal',
  label: { one: ['Portal', 'Портал'], many: ['Portals', 'Порталы'] },
  title: 'code',
  fields: {
    code: { type: 'code', label: ['Code', 'Код'], required: true, unique: true },
    kind,
    pin: { type: 'secret', label: ['PIN', 'Пин'], when: isRemote },
    url: { type: 'text', label: ['Address', 'Адрес'], when: isRemote },
  },
  actions: {
    leave: { label: ['Leave', 'Отключить'], roles: ['admin'], set: { kind: 'BASIC' } },
    turn: { label: ['Turn', 'Сменить'], roles: ['admin'], form: { kind } },
  },
  access: { list: ['admin'], create: ['admin'], edit: ['admin'] },
})

describe.each(engines)('a secret with a condition on $name', (engine) => {
  let server: ToyServer
  let as: string
  beforeAll(async () => {
    const filling = fillingPart({ rules: {}, mailOf: mailerOf })
    server = await openToyServer(engine, {}, definitionsOf([...boothDefinitions.values(), portal]), [filling])
    as = `admin:${(await server.made('user', { email: 'ann@example.com' })).id}`
  })
  afterAll(() => server.close())

  const headers = { 'content-type': 'text/csv' }
  const ends: [string, string, (id: string, code: string) => Promise<{ status: number }>][] = [
    ['an edit', 'update', (id) => server.put(`portal/${id}`, { version: 1, kind: 'BASIC' }, as)],
    ['what an action sets', 'leave', (id) => server.put(`portal/${id}/leave`, { version: 1 }, as)],
    ['the form of an action', 'turn', (id) => server.put(`portal/${id}/turn`, { version: 1, kind: 'BASIC' }, as)],
    [
      'an import',
      'update',
      (_, code) => server.call('POST', 'import/portal?update=true', { as, headers, body: `code,kind\n${code},BASIC` }),
    ],
  ]

  it.each(ends)('is emptied when %s ends it, which the audit log tells', async (way, action, end) => {
    const code = way.replaceAll(' ', '-').toUpperCase()
    const { id } = await server.made('portal', { code, kind: 'REMOTE', pin: 'pin-1', url: 'a.example' }, as)
    const answer = await end(String(id), code)
    expect(answer).toMatchObject({ status: 200 })
    const read = async () => (await server.get(`portal/${id}`, as)).body
    expect(await read()).toMatchObject({ kind: 'BASIC', pinIsSet: false, url: null, version: 2 })
    expect(await server.select(`select "pin" from "portal" where "id" = '${id}'`)).toEqual([{ pin: null }])
    const entries = await server.select(
      `select "before", "after" from "auditLog" where "entityId" = '${id}' and "action" = '${action}'`,
    )
    expect(entries).toEqual([
      {
        before: { kind: 'REMOTE', pin: '•••', url: 'a.example' },
        after: { kind: 'BASIC', pin: null, url: null },
      },
    ])
    await server.put(`portal/${id}`, { version: 2, kind: 'REMOTE' }, as)
    expect(await read()).toMatchObject({ kind: 'REMOTE', pinIsSet: false })
  })

  it('does not come back when the import is undone, which says so', async () => {
    const { id } = await server.made('portal', { code: 'UNDONE', kind: 'REMOTE', pin: 'pin-1', url: 'a.example' }, as)
    const body = 'code,kind\nUNDONE,BASIC'
    const { jobId } = (await server.call('POST', 'import/portal?update=true', { as, headers, body })).body
    const undone = await server.post(`import-job/${jobId}/undo`, undefined, as)
    expect(undone.body).toMatchObject({
      restored: 1,
      kept: [{ code: 'UNDONE', reason: 'these secrets were emptied by the import and are not brought back: PIN' }],
    })
    const { body: record } = await server.get(`portal/${id}`, as)
    expect(record).toMatchObject({ kind: 'REMOTE', url: 'a.example', pinIsSet: false })
  })

  it('stays while its condition holds, and is refused where it does not', async () => {
    const { id } = await server.made('portal', { code: 'STAYS', kind: 'REMOTE', pin: 'pin-1' }, as)
    const kept = await server.put(`portal/${id}`, { version: 1, kind: 'REMOTE', url: 'b.example' }, as)
    expect(kept.body).toMatchObject({ version: 2, pinIsSet: true })
    const refused = await server.put(`portal/${id}`, { version: 2, kind: 'BASIC', pin: 'pin-2' }, as)
    expect([refused.status, Object.keys(Object(refused.body.fields))]).toEqual([400, ['pin']])
  })

  it('that is stored although its condition does not hold is removed by null, and kept by an edit of another field', async () => {
    const { id } = await server.made('portal', { code: 'LEFT', kind: 'BASIC' }, as)
    await server.select(`update "portal" set "pin" = 'old', "url" = 'old.example' where "id" = '${id}' returning "id"`)
    const kept = await server.put(`portal/${id}`, { version: 1, code: 'LEFT-2' }, as)
    expect(kept.body).toMatchObject({ version: 2, pinIsSet: true, url: 'old.example' })
    const emptied = await server.put(`portal/${id}`, { version: 2, pin: null, url: null }, as)
    expect(emptied.body).toMatchObject({ version: 3, pinIsSet: false })
    expect(await server.select(`select "pin" from "portal" where "id" = '${id}'`)).toEqual([{ pin: null }])
  })
})
