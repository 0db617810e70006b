import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oneEngine } from '#tests/support/databases.ts'
import { rentalDefinitions } from '#tests/support/rental-definitions.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

type Json = Record<string, unknown>

describe.each(oneEngine(import.meta.filename))('the terms of a definition on $name', (engine) => {
  let server: ToyServer
  let count = 0
  beforeAll(async () => {
    server = await openToyServer(engine, {}, rentalDefinitions)
  })
  afterAll(() => server.close())
  const name = () => `R-${++count}`
  const made = (more: Json = {}) => server.made('rental', { name: name(), ...more })
  const fieldsOf = (answer: { body: Json }) => Object.keys(Object(answer.body.fields)).toSorted()

  describe('a value under a condition', () => {
    it('is refused where the condition does not hold, and its default stays out', async () => {
      const refused = await server.post('rental', { name: name(), kind: 'BASIC', terms: 'by hand' })
      expect([refused.status, fieldsOf(refused)]).toEqual([400, ['terms']])
      expect(await made()).toMatchObject({ kind: 'BASIC', terms: null, deposit: null })
      expect(await made({ kind: 'SPECIAL' })).toMatchObject({ deposit: 5 })
    })

    it('is cleared when a change ends its condition, and told to the audit log', async () => {
      const { id } = await made({ kind: 'SPECIAL', terms: 'by hand' })
      const answer = await server.put(`rental/${id}`, { kind: 'BASIC', version: 1 })
      expect(answer).toMatchObject({ status: 200, body: { kind: 'BASIC', terms: null, deposit: null } })
      const [entry] = await server.select(`select * from "auditLog" where "entityId" = '${id}' and "action" = 'update'`)
      expect(entry).toMatchObject({ before: { terms: 'by hand' }, after: { terms: null } })
    })

    it('follows the change of an action as well', async () => {
      const { id } = await made({ kind: 'SPECIAL', terms: 'by hand' })
      const refused = await server.put(`rental/${id}/retype`, { kind: 'BASIC', terms: 'by mail' })
      expect([refused.status, fieldsOf(refused)]).toEqual([400, ['terms']])
      const answer = await server.put(`rental/${id}/retype`, { kind: 'BASIC' })
      expect(answer).toMatchObject({ status: 200, body: { kind: 'BASIC', terms: null, deposit: null } })
    })

    it('may be sent back as it was read', async () => {
      const { id } = await made({ kind: 'SPECIAL', terms: 'by hand' })
      const answer = await server.put(`rental/${id}`, { kind: 'BASIC', terms: 'by hand', version: 1 })
      expect(answer).toMatchObject({ status: 200, body: { terms: null } })
    })
  })

  describe('a new record', () => {
    it('starts in the default of its status and in no other state', async () => {
      const refused = await server.post('rental', { name: name(), state: 'OVER' })
      expect([refused.status, fieldsOf(refused)]).toEqual([400, ['state']])
      expect(refused.body.message).toEqual(['State: Choose one of: Draft (DRAFT)'])
      expect(await made()).toMatchObject({ state: 'DRAFT' })
      expect(await made({ state: 'DRAFT' })).toMatchObject({ state: 'DRAFT' })
    })

    it('starts in one of the states that the definition names', async () => {
      expect((await server.post('rental', { name: name(), origin: 'SIGNED' })).status).toBe(400)
      expect(await made({ origin: 'MAIL' })).toMatchObject({ origin: 'MAIL' })
    })
  })

  it('name no tag and no record twice', async () => {
    const yard = await server.made('yard', { name: 'Twice' })
    const refused = await server.post('rental', { name: name(), tags: ['vip', 'vip'], yardIds: [yard.id, yard.id] })
    expect([refused.status, fieldsOf(refused)]).toEqual([400, ['tags', 'yardIds']])
  })
})
