import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oneEngine } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

type Json = Record<string, unknown>

describe.each(oneEngine(import.meta.filename))('a record on $name', (engine) => {
  let server: ToyServer
  let owner: Json
  let count = 0
  beforeAll(async () => {
    server = await openToyServer(engine)
    owner = await server.made('person', { email: 'ann@b.example', name: 'Ann', kind: 'CHILD' })
  })
  afterAll(() => server.close())

  const made = (more: Json = {}) => server.made('toy', { code: `N-${++count}`, name: 'Bear', ...more })
  const audits = (id: unknown) => server.select(`select * from "auditLog" where "entityId" = '${id}' order by "at", "id"`)
  const fieldsOf = (answer: { body: Json }) => Object.keys((answer.body.fields as object | undefined) ?? {}).toSorted()

  it('is not there for anything that is no id', async () => {
    for (const id of ['nothing', '%00', '..%2f', "'", '1.5', 'x'.repeat(100), '%7B%7D']) {
      for (const method of ['GET', 'PUT', 'DELETE'] as const) {
        const { status } = await server.call(method, `toy/${id}`, method === 'PUT' ? { body: { version: 1 } } : {})
        expect({ id, method, status }).toEqual({ id, method, status: 404 })
      }
    }
  })

  describe('when it is deleted', () => {
    it('is gone, unless others refer to it or the version is stale', async () => {
      const toy = await made({ ownerId: owner.id })
      const task = await server.made('task', { title: 'Fix', kind: 'REPAIR', toyId: toy.id })
      expect((await server.delete(`toy/${toy.id}`)).body).toMatchObject({ code: 'in-use' })
      expect((await server.delete(`person/${owner.id}`)).body).toMatchObject({ statusCode: 409, code: 'in-use' })
      expect((await server.delete(`task/${task.id}`)).status).toBe(204)
      expect((await server.delete(`toy/${toy.id}?version=7`)).status).toBe(409)
      expect((await server.delete(`toy/${toy.id}?strange=7`)).status).toBe(400)
      expect((await server.delete(`toy/${toy.id}`, { version: 1, reason: 'broken' })).status).toBe(204)
      expect((await server.delete(`toy/${toy.id}`)).status).toBe(404)
      expect((await audits(toy.id)).at(-1)).toMatchObject({ action: 'delete', reason: 'broken', after: null })
    })
  })

  it('writes who did what to the audit log, and what was refused', async () => {
    const { id } = await made({ pin: '1234', story: 'old' })
    await server.put(`toy/${id}`, { version: 1, story: 'new', pin: '5678' })
    await server.put(`toy/${id}`, { version: 2, name: 'x' }, 'client:c1')
    const [create, update, denied] = await audits(id)
    expect(create).toMatchObject({
      action: 'create',
      entityType: 'toy',
      actorId: 'u1',
      role: 'admin',
      result: 'OK',
      before: null,
    })
    expect(create?.after).toMatchObject({ story: 'old', pin: '•••' })
    expect(update).toMatchObject({ action: 'update', before: { story: 'old' }, after: { story: 'new', pin: '•••' } })
    expect(Object.keys(update?.after as object).toSorted()).toEqual(['pin', 'story'])
    expect(denied).toMatchObject({ action: 'update', actorId: 'c1', role: 'client', result: 'DENIED' })
    expect(JSON.stringify(await audits(id))).not.toContain('5678')
  })

  it('announces its changes with the same transaction', async () => {
    const { id } = await made()
    await server.put(`toy/${id}`, { version: 1, name: 'Doll' })
    await server.put(`toy/${id}`, { version: 1, name: 'Bear' })
    await server.delete(`toy/${id}`)
    const events = await server.select(
      `select "resource", "version", "type" from "event" where "entityId" = '${id}' order by "id"`,
    )
    expect(events).toEqual([
      { resource: 'toy', version: 1, type: 'created' },
      { resource: 'toy', version: 2, type: 'updated' },
      { resource: 'toy', version: 3, type: 'deleted' },
    ])
  })

  describe('of a whole and its part at one path', () => {
    const child = { email: 'kid@b.example', name: 'Kid', kind: 'CHILD', school: 'Nr. 5' }

    it('takes the fields of both where the values say so', async () => {
      const made = await server.post('person', child)
      expect(made).toMatchObject({ status: 201, body: { kind: 'CHILD', school: 'Nr. 5' } })
      const adult = await server.post('person', { ...child, email: 'grown@b.example', kind: 'ADULT' })
      expect(fieldsOf(adult)).toEqual(['school'])
      const events = await server.select(
        `select "resource" from "event" where "entityId" = '${made.body.id}' order by "resource"`,
      )
      expect(events.map(({ resource }) => resource)).toEqual(['child', 'person'])
    })

    it('gives who may make the part only that part', async () => {
      const made = await server.post('person', { email: 'two@b.example', name: 'Two', school: 'x' }, 'moderator')
      expect(made.status).toBe(201)
      expect(made.body).not.toHaveProperty('kind')
      expect((await server.get(`person/${made.body.id}`)).body).toMatchObject({ kind: 'CHILD' })
      expect((await server.post('person', { ...child, email: 'three@b.example' }, 'moderator')).status).toBe(201)
      expect((await server.post('person', { email: 'four@b.example', name: 'x', kind: 'ADULT' }, 'moderator')).status).toBe(403)
      expect((await server.post('person', { email: 'five@b.example', name: 'x', language: 'en' }, 'moderator')).status).toBe(
        403,
      )
    })

    it('shows and changes it as what the caller may use', async () => {
      const kid = await server.made('person', { ...child, email: 'six@b.example' })
      const adult = await server.made('person', { email: 'seven@b.example', name: 'S', kind: 'ADULT', language: 'en' })
      const seen = await server.get(`person/${kid.id}`, 'moderator')
      expect(seen.body).toMatchObject({ school: 'Nr. 5' })
      expect(seen.body).not.toHaveProperty('language')
      expect((await server.get(`person/${adult.id}`, 'moderator')).status).toBe(404)
      expect((await server.put(`person/${kid.id}`, { version: 1, school: 'y' }, 'moderator')).status).toBe(200)
      expect((await server.put(`person/${kid.id}`, { version: 2, language: 'y' }, 'moderator')).status).toBe(403)
      expect((await server.put(`person/${adult.id}`, { version: 1, name: 'y' }, 'moderator')).status).toBe(404)
      expect((await server.delete(`person/${kid.id}`, undefined, 'moderator')).status).toBe(403)
    })

    it('lets everybody read his own row and write what is his, and tells nobody else that it is there', async () => {
      const adult = await server.made('person', { email: 'eight@b.example', name: 'E', kind: 'ADULT' })
      const self = `client:${adult.id}`
      expect((await server.get(`person/${adult.id}`, self)).body).toMatchObject({ name: 'E', kind: 'ADULT' })
      expect((await server.put(`person/${adult.id}`, { version: 1, language: 'ru' }, self)).body).toMatchObject({
        language: 'ru',
      })
      expect((await server.put(`person/${adult.id}`, { version: 2, kind: 'CHILD' }, self)).status).toBe(403)
      expect((await server.put(`person/${adult.id}`, { version: 2, strange: 1 }, self)).status).toBe(400)
      const missing = String(adult.id).replace(/.{12}$/, '000000000000')
      for (const id of [adult.id, missing]) {
        expect((await server.get(`person/${id}`, 'client:other')).status).toBe(404)
        expect((await server.put(`person/${id}`, { version: 2, language: 'en' }, 'client:other')).status).toBe(404)
      }
    })
  })

  it('is not found outside the scope of a role', async () => {
    const task = await server.made('task', { title: 'Theirs', kind: 'CLEAN' })
    const as = `service_engineer:${owner.id}`
    expect((await server.get(`task/${task.id}`, as)).status).toBe(404)
    await server.put(`task/${task.id}`, { version: 1, assigneeId: owner.id })
    expect((await server.get(`task/${task.id}`, as)).status).toBe(200)
    expect((await server.put(`task/${task.id}`, { version: 2, title: 'x' }, as)).status).toBe(403)
  })
})
