import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oneEngine } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

type Json = Record<string, unknown>

describe.each(oneEngine(import.meta.filename))('a change of a record on $name', (engine) => {
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

  it('replaces the fields that are named and counts the version', async () => {
    const { id } = await made({ pieces: 5, place: { room: 'attic', lock: 'x' } })
    const answer = await server.put(`toy/${id}`, { version: 1, name: 'Doll', ownerId: owner.id })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ name: 'Doll', pieces: 5, version: 2, owner: { id: owner.id } })
    const cleared = await server.put(`toy/${id}`, { version: 2, ownerId: null, pieces: null })
    expect(cleared.body).toMatchObject({ ownerId: null, owner: null, pieces: null, version: 3 })
  })

  it('keeps the parts of a group that a role may not see', async () => {
    const { id } = await made({ place: { room: 'attic', lock: 'x' } })
    const answer = await server.put(`toy/${id}`, { version: 1, place: { room: 'cellar' } }, 'moderator')
    expect(answer.body.place).not.toHaveProperty('lock')
    expect((await server.get(`toy/${id}`)).body.place).toMatchObject({ room: 'cellar', lock: 'x' })
    const forced = await server.put(`toy/${id}`, { version: 2, place: { room: 'cellar', lock: 'y' } }, 'moderator')
    expect(forced.status).toBe(400)
  })

  it('refuses a stale version and shows the record as it is now', async () => {
    const { id } = await made()
    await server.put(`toy/${id}`, { version: 1, name: 'Mine' })
    const answer = await server.put(`toy/${id}`, { version: 1, name: 'Theirs' }, 'moderator')
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({ code: 'stale-version', current: { name: 'Mine', version: 2 } })
    expect(answer.body.current).not.toHaveProperty('place.lock')
  })

  it('lets one of ten changes of the same version through', async () => {
    const { id } = await made()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => server.put(`toy/${id}`, { version: 1, name: `N${n}` })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9)
  })

  it('leaves no trace of a change that changes nothing', async () => {
    const { id, name } = await made({ place: { room: 'attic' }, seenAt: '2026-01-01T00:00:00Z', email: 'a@b.example' })
    const same = { version: 1, name, place: { room: 'attic' }, seenAt: '2026-01-01T03:00:00+03:00', email: 'A@b.example' }
    const answer = await server.put(`toy/${id}`, same)
    expect(answer).toMatchObject({ status: 200, body: { version: 1 } })
    expect(await audits(id)).toHaveLength(1)
  })

  it('refuses keys that are unknown, read-only or immutable, and a missing version', async () => {
    const { id } = await made()
    const answer = await server.put(`toy/${id}`, {
      code: 'NEW',
      isOld: true,
      createdAt: 'x',
      taskCount: 1,
      strange: 1,
      name: null,
    })
    expect(answer.status).toBe(400)
    expect(fieldsOf(answer)).toEqual(['code', 'createdAt', 'isOld', 'name', 'strange', 'taskCount', 'version'])
    expect((await server.put(`toy/${id}`, { version: 1, price: 1 }, 'moderator')).status).toBe(403)
    expect((await server.put(`toy/${id}`, { version: 1, name: 'x' }, 'client')).status).toBe(403)
  })

  it('follows the states of the definition', async () => {
    const { id } = await made()
    const skipped = await server.put(`toy/${id}`, { version: 1, state: 'BROKEN' })
    expect(skipped).toMatchObject({ status: 409, body: { code: 'transition', allowed: ['USED'] } })
    expect(skipped.body.message).toBe('From New to Broken is not possible. Possible: Used')
    // Whatever else is asked of this step, it is not possible.
    const lacking = await server.put(`toy/${id}`, { version: 1, state: 'BROKEN', isLoud: true })
    expect(lacking, lacking.text).toMatchObject({ status: 409, body: { code: 'transition' } })
    expect((await server.put(`toy/${id}`, { state: 'BROKEN' })).status).toBe(400)
    expect((await server.put(`toy/${id}`, { version: 1, state: 'USED' })).body).toMatchObject({ state: 'USED', version: 2 })
    expect((await server.put(`toy/${id}`, { version: 2, state: 'NEW' })).body).toMatchObject({ allowed: ['BROKEN'] })
  })

  it('asks only the rules that the change touches', async () => {
    const { id } = await made()
    await server.select(`update "toy" set "isLoud" = true where "id" = '${id}'`)
    expect((await server.put(`toy/${id}`, { version: 1, name: 'Fine' })).status).toBe(200)
    expect(fieldsOf(await server.put(`toy/${id}`, { version: 2, isLoud: true }))).toEqual(['keeperNote'])
  })
})
