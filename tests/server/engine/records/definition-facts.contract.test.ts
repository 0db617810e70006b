import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boothDefinitions } from '#tests/support/booth-definitions.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

type Json = Record<string, unknown>

describe.each(oneEngine(import.meta.filename))('facts that a definition works out on $name', (engine) => {
  let server: ToyServer
  let as: string
  let userId: unknown
  let count = 0
  beforeAll(async () => {
    server = await openToyServer(engine, {}, boothDefinitions)
    userId = (await server.made('user', { email: 'ann@example.com' })).id
    as = `admin:${userId}`
  })
  afterAll(() => server.close())
  const post = (more: Json = {}) => server.post('booth', { hall: 'A', number: ++count, ...more }, as)
  const made = async (more: Json = {}) => {
    const answer = await post(more)
    expect(answer.status, answer.text).toBe(201)
    return answer.body
  }
  const fieldsOf = (answer: { body: Json }) => Object.keys(Object(answer.body.fields)).toSorted()

  describe('a computed default', () => {
    it('is the moment, the day, the caller, another field, or a text of several', async () => {
      const booth = await made()
      const now = String(booth.createdAt)
      expect(booth).toMatchObject({
        label: `A-${count}`,
        bill: `A-${count}`,
        heldOn: now.slice(0, 10),
        bookedAt: now,
        bookedById: userId,
      })
    })

    it('gives way to what is sent, also to nothing', async () => {
      const booth = await made({ label: 'Corner', heldOn: null })
      expect(booth).toMatchObject({ label: 'Corner', bill: 'Corner', heldOn: null })
    })

    it('stays empty while it reads what is empty, and then does not stand for a required value', async () => {
      const refused = await post({ number: null })
      expect([refused.status, fieldsOf(refused)]).toEqual([400, ['label']])
    })

    it('is not asked for where what it reads is wrong', async () => {
      const refused = await post({ number: 'one' })
      expect([refused.status, fieldsOf(refused)]).toEqual([400, ['number']])
    })

    it('cannot be sent to a field that is closed', async () => {
      const refused = await post({ bookedById: userId })
      expect([refused.status, fieldsOf(refused)]).toEqual([400, ['bookedById']])
    })

    it('fills what a change leaves alone no second time', async () => {
      const { id } = await made({ bill: null })
      const answer = await server.put(`booth/${id}`, { number: 900 + count, version: 1 }, as)
      expect(answer).toMatchObject({ status: 200, body: { bill: null, label: `A-${count}` } })
    })

    it('fills the form of an action', async () => {
      const { id } = await made()
      expect(await server.put(`booth/${id}/shut`, { reason: 'Rain' }, as)).toMatchObject({
        status: 200,
        body: { state: 'SHUT', reason: 'Rain' },
      })
    })
  })

  describe('a field that a rule requires', () => {
    it('is asked for where the rule holds, and only there', async () => {
      expect(await made()).toMatchObject({ reason: null })
      const { id } = await made()
      const refused = await server.put(`booth/${id}`, { state: 'SHUT', version: 1 }, as)
      expect([refused.status, fieldsOf(refused)]).toEqual([400, ['reason']])
      const answer = await server.put(`booth/${id}`, { state: 'SHUT', reason: 'Rain', version: 1 }, as)
      expect(answer).toMatchObject({ status: 200, body: { state: 'SHUT', reason: 'Rain' } })
      const emptied = await server.put(`booth/${id}`, { reason: null, version: 2 }, as)
      expect([emptied.status, fieldsOf(emptied)]).toEqual([400, ['reason']])
    })
  })

  describe('a field that a rule closes', () => {
    it('is closed by the stored record: no change opens it for itself', async () => {
      const { id } = await made({ price: 5 })
      await server.put(`booth/${id}`, { state: 'SHUT', reason: 'Rain', price: 7, version: 1 }, as)
      const refused = await server.put(`booth/${id}`, { price: 8, version: 2 }, as)
      expect([refused.status, fieldsOf(refused)]).toEqual([400, ['price']])
      const both = await server.put(`booth/${id}`, { price: 8, state: 'OPEN', version: 2 }, as)
      expect([both.status, fieldsOf(both)]).toEqual([400, ['price']])
      const same = await server.put(`booth/${id}`, { price: 7, state: 'OPEN', version: 2 }, as)
      expect(same).toMatchObject({ status: 200, body: { price: 7, state: 'OPEN' } })
      expect(await server.put(`booth/${id}`, { price: 8, version: 3 }, as)).toMatchObject({ status: 200, body: { price: 8 } })
    })

    it('is open to actions', async () => {
      const { id } = await made({ price: 5 })
      await server.put(`booth/${id}`, { state: 'SHUT', reason: 'Rain', version: 1 }, as)
      expect((await server.put(`booth/${id}/shut`, { price: 9 }, as)).body).toMatchObject({ price: 9 })
    })
  })

  describe('a record that a rule closes', () => {
    it('is neither changed nor deleted while the rule says so, and says why', async () => {
      const { id } = await server.made('voucher', { code: 'V1' })
      expect((await server.put(`voucher/${id}`, { isSent: true, isKept: true, version: 1 }, as)).status).toBe(200)
      expect(await server.put(`voucher/${id}`, { code: 'V2', version: 2 }, as)).toMatchObject({
        status: 409,
        body: { code: 'edit.wrong-state', message: '“V1” cannot be changed in its present state. Needed: “Sent” is No' },
      })
      expect(await server.delete(`voucher/${id}`, undefined, as)).toMatchObject({
        status: 409,
        body: { code: 'delete.wrong-state', message: '“V1” cannot be deleted in its present state. Needed: “Kept” is No' },
      })
      expect((await server.get(`voucher/${id}`)).body).toMatchObject({ code: 'V1', version: 2 })
    })
  })

  describe('a record that its own field does not permit to touch', () => {
    it('is neither changed, deleted nor acted on, and stays as it is', async () => {
      const { id } = await server.made('flyer', { code: 'F1', prints: 1 })
      expect((await server.put(`flyer/${id}/reprint`, { prints: 2 }, as)).status).toBe(200)
      expect((await server.put(`flyer/${id}`, { isLoose: false, version: 2 }, as)).status).toBe(200)
      const refused = { status: 403, body: { code: 'not-permitted' } }
      expect(await server.put(`flyer/${id}`, { prints: 3, version: 3 }, as)).toMatchObject(refused)
      expect(await server.put(`flyer/${id}/reprint`, { prints: 3 }, as)).toMatchObject(refused)
      expect(await server.delete(`flyer/${id}`, undefined, as)).toMatchObject(refused)
      expect((await server.get(`flyer/${id}`)).body).toMatchObject({ prints: 2, version: 3 })
    })
  })

  describe('a record that another one names', () => {
    it.each([
      ['in a group', (id: unknown) => ({ desk: { hostId: id } })],
      ['among several in a group', (id: unknown) => ({ desk: { helperIds: [userId, id] } })],
      ['in a row of a list', (id: unknown) => ({ shifts: [{ personId: userId }, { personId: id }] })],
      ['by itself', (id: unknown) => ({ keeperId: id })],
    ])('%s cannot be deleted before it is named no more', async (_place, naming) => {
      const { id } = await server.made('user', { email: `guest-${++count}@example.com` })
      const booth = await made(naming(id))
      expect(await server.delete(`user/${id}`)).toMatchObject({ status: 409, body: { code: 'in-use' } })
      expect((await server.delete(`booth/${booth.id}`)).status).toBe(204)
      expect((await server.delete(`user/${id}`)).status).toBe(204)
    })
  })

  describe('fields that are unique together', () => {
    it('are refused at each of them, with their names', async () => {
      const { hall, number } = await made()
      const twice = await post({ hall, number })
      expect([twice.status, twice.body.code, fieldsOf(twice)]).toEqual([
        409,
        'duplicate-together',
        ['hall', 'heldOn', 'number'],
      ])
      expect(twice.body.message).toContain('Hall, Number, Day')
      expect((await post({ hall: 'B', number })).status).toBe(201)
    })

    it('may repeat where one of them is empty', async () => {
      const { hall, number } = await made({ heldOn: null })
      expect((await post({ hall, number, heldOn: null })).status).toBe(201)
    })

    it('are kept by a change as well', async () => {
      const first = await made()
      const second = await made()
      const answer = await server.put(`booth/${second.id}`, { number: first.number, version: 1 }, as)
      expect([answer.status, answer.body.code]).toEqual([409, 'duplicate-together'])
    })
  })
})
