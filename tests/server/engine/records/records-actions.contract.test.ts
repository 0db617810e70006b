import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

type Json = Record<string, unknown>

const text = (label: string) => ({ type: 'text', label: [label, label], required: true }) as const
const reason = { reason: text('Reason') }

const gate = defineResource({
  name: 'gate',
  label: { one: ['Gate', 'Ворота'], many: ['Gates', 'Ворота'] },
  title: 'name',
  fields: {
    name: text('Name'),
    state: {
      type: 'status',
      label: ['State', 'Состояние'],
      default: 'OPEN',
      states: {
        OPEN: { tone: 'good', label: ['Open', 'Открыты'], next: ['SHUT'] },
        SHUT: { tone: 'bad', label: ['Shut', 'Закрыты'], next: [] },
      },
    },
  },
  actions: {
    shut: {
      label: ['Shut', 'Закрыть'],
      form: reason,
      set: { state: 'SHUT' },
      when: { field: 'state', op: 'eq', value: 'OPEN' },
    },
    note: { label: ['Note', 'Отметить'], form: reason },
    open: { label: ['Open', 'Открыть'], form: reason, set: { state: 'OPEN' } },
  },
  access: { list: ['admin'], create: ['admin'], edit: ['admin'] },
})

describe.each(oneEngine(import.meta.filename))('an action on $name', (engine) => {
  let server: ToyServer
  let owner: Json
  let count = 0
  beforeAll(async () => {
    server = await openToyServer(engine)
    owner = await server.made('person', { email: 'ann@b.example', name: 'Ann', kind: 'CHILD' })
  })
  afterAll(() => server.close())

  const madeTask = (more: Json = {}) => server.made('task', { title: `Task ${++count}`, kind: 'CLEAN', ...more })
  const madeToy = () => server.made('toy', { code: `A-${++count}`, name: 'Bear' })
  const audits = (id: unknown) => server.select(`select * from "auditLog" where "entityId" = '${id}' order by "at", "id"`)
  const fieldsOf = (answer: { body: Json }) => Object.keys((answer.body.fields as object | undefined) ?? {}).toSorted()

  it('without a form sets what the definition says, once', async () => {
    const { id } = await madeTask()
    const me = await server.made('person', { email: 'me@b.example', name: 'Ann', kind: 'ADULT' })
    const answer = await server.put(`task/${id}/finish`, undefined, `admin:${me.id}`)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ status: 'DONE', doneAt: '2026-03-02T08:00:00.123Z', assigneeId: me.id, version: 2 })
    const again = await server.put(`task/${id}/finish`, {})
    expect(again).toMatchObject({
      status: 409,
      body: { code: 'action.wrong-state', message: expect.stringContaining('Finish') },
    })
    expect(again.body.message).toMatch(/“Finish” is not possible in the present state of Task \d+\. It is possible in: /)
    expect((await audits(id)).at(-1)).toMatchObject({ action: 'finish', before: { status: 'OPEN' }, after: { status: 'DONE' } })
  })

  it('is for its roles, and for rows in their sight', async () => {
    const { id } = await madeTask()
    expect((await server.put(`task/${id}/finish`, {}, 'client')).status).toBe(403)
    expect((await server.put(`task/${id}/finish`, {}, `service_engineer:${owner.id}`)).status).toBe(404)
    expect((await server.put(`task/${id}/urgency`, { isUrgent: true }, `service_engineer:${owner.id}`)).status).toBe(403)
    expect((await server.put('task/nothing/finish', {})).status).toBe(404)
    expect((await server.put('task/%00/finish', {})).status).toBe(404)
    expect((await audits(id)).map(({ action, result }) => [action, result])).toContainEqual(['finish', 'DENIED'])
  })

  it('checks its form, unknown keys included, and writes its values', async () => {
    const toy = await madeToy()
    const call = `toy/${toy.id}/hand-over`
    const wrong = await server.post(call, { strange: 1 })
    expect(wrong.status).toBe(400)
    expect(fieldsOf(wrong)).toEqual(['ownerId', 'strange'])
    expect(wrong.body.message).toContain('Owner: This field is required')
    expect(fieldsOf(await server.post(call, { ownerId: 'nobody' }))).toEqual(['ownerId'])
    const answer = await server.post(call, { ownerId: owner.id, version: 1 })
    expect(answer).toMatchObject({ status: 200, body: { owner: { email: 'ann@b.example' }, version: 2 } })
    const stale = await server.post(call, { ownerId: owner.id, version: 1 })
    expect(stale).toMatchObject({ status: 409, body: { code: 'stale-version', current: { version: 2 } } })
  })

  it('happens once for a request key', async () => {
    const toy = await madeToy()
    const send = () =>
      server.call('POST', `toy/${toy.id}/hand-over`, { body: { ownerId: owner.id }, headers: { 'idempotency-key': 'h1' } })
    expect((await send()).body).toMatchObject({ version: 2 })
    expect((await send()).body).toMatchObject({ version: 2 })
    expect(await audits(toy.id)).toHaveLength(2)
  })

  it('takes the values of a DELETE from its body or from the query', async () => {
    const { id } = await madeTask()
    const byBody = await server.delete(`task/${id}/due`, { dueOn: '2026-05-01', reason: 'rain' })
    expect(byBody).toMatchObject({ status: 200, body: { dueOn: '2026-05-01', version: 2 } })
    const byQuery = await server.delete(`task/${id}/due?dueOn=2026-06-01&version=2`)
    expect(byQuery).toMatchObject({ status: 200, body: { dueOn: '2026-06-01', version: 3 } })
    expect((await server.delete(`task/${id}/due`)).status).toBe(400)
    expect((await server.delete(`task/${id}/due?dueOn=2026-02-30`)).status).toBe(400)
    expect((await server.delete(`task/${id}/due?dueOn=2026-06-01&strange=1`)).status).toBe(400)
    expect((await audits(id)).map(({ reason }) => reason)).toEqual([null, 'rain', null])
  })

  it('is told apart from others of the same call by what its body fixes', async () => {
    const { id } = await madeTask()
    expect((await server.put(`task/${id}/urgency`, { isUrgent: true })).body).toMatchObject({ isUrgent: true })
    expect((await server.put(`task/${id}/urgency`, { isUrgent: false })).body).toMatchObject({ isUrgent: false })
    expect(fieldsOf(await server.put(`task/${id}/urgency`, {}))).toEqual(['isUrgent'])
    expect((await server.put(`task/${id}/urgency`, { isUrgent: 'maybe' })).status).toBe(400)
    expect((await audits(id)).map(({ action }) => action)).toEqual(['create', 'hurry', 'relax'])
  })

  it('may have an effect and an answer of its own', async () => {
    const toy = await madeToy()
    const answer = await server.put(`toy/${toy.id}/press`, { times: 2 })
    expect(answer).toMatchObject({ status: 202, body: { pressed: 2, code: toy.code } })
    expect((await server.put(`toy/${toy.id}/press`, { times: 9 })).body.message).toEqual(['Times: Must be 3 or less'])
    expect((await audits(toy.id)).at(-1)).toMatchObject({ action: 'press', after: { times: 2 }, result: 'OK' })
  })
})

describe.each(oneEngine(import.meta.filename))('an action that is not possible, on $name', (engine) => {
  let server: ToyServer
  beforeAll(async () => {
    server = await openToyServer(engine, {}, definitionsOf([gate]))
  })
  afterAll(() => server.close())

  it('is refused before what its form lacks', async () => {
    const { id } = await server.made('gate', { name: 'North' })
    const codeOf = async (action: string, body: Json) => {
      const answer = await server.put(`gate/${id}/${action}`, body)
      return `${answer.status} ${answer.body.code}`
    }
    expect(await codeOf('shut', {})).toBe('400 invalid')
    expect((await server.put(`gate/${id}/shut`, { reason: 'Night' })).status).toBe(200)
    expect(await codeOf('shut', {})).toBe('409 action.wrong-state')
    expect(await codeOf('shut', { version: 2, strange: 1 })).toBe('409 action.wrong-state')
    expect(await codeOf('open', {})).toBe('409 transition')
    expect(await codeOf('note', { state: 'OPEN' })).toBe('400 invalid')
    // A form over another version has to be mended anyway.
    expect(await codeOf('shut', { version: 1 })).toBe('400 invalid')
    expect(await codeOf('open', { version: 1 })).toBe('400 invalid')
    expect(await codeOf('shut', { version: 1, reason: 'Night' })).toBe('409 stale-version')
  })
})
