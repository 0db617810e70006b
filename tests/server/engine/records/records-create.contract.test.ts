import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oneEngine } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

type Json = Record<string, unknown>

describe.each(oneEngine(import.meta.filename))('a new record on $name', (engine) => {
  let server: ToyServer
  let owner: Json
  let count = 0
  beforeAll(async () => {
    server = await openToyServer(engine)
    owner = await server.made('person', { email: 'ann@b.example', name: 'Ann', kind: 'CHILD' })
  })
  afterAll(() => server.close())

  const stored = async (id: unknown) => (await server.select(`select * from "toy" where "id" = '${id}'`))[0]
  const fieldsOf = (answer: { body: Json }) => Object.keys((answer.body.fields as object | undefined) ?? {}).toSorted()

  it('answers 201 with every field, defaults and summaries included', async () => {
    const body = {
      code: 'FULL',
      name: '  Bear ',
      ownerId: owner.id,
      friendIds: [owner.id],
      place: { room: 'attic' },
      pin: '1234',
    }
    const answer = await server.post('toy', body)
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      name: 'Bear',
      pieces: 1,
      state: 'NEW',
      version: 1,
      owner: { email: 'ann@b.example' },
      story: null,
    })
    expect(answer.body.place).toMatchObject({ room: 'attic', shelf: null, keeper: null })
    expect(answer.body).not.toHaveProperty('pin')
    expect(await stored(answer.body.id)).toMatchObject({ pin: '1234', createdBy: 'u1' })
    expect((await server.get(`toy/${answer.body.id}`)).body).toEqual(answer.body)
  })

  it('tells everything that is wrong at once, with labels, in both languages, and changes nothing', async () => {
    const [before] = await server.select('select count(*) from "toy"')
    const body = {
      name: 'x'.repeat(21),
      pieces: 0,
      email: 'no',
      colour: 'GREEN',
      boughtOn: '2026-02-30',
      ownerId: 'nobody',
      friendIds: [owner.id, 'who'],
      place: { shelf: 10, nothing: 1 },
      parts: [{ part: 'a' }, { count: 1 }],
      isLoud: true,
      strange: 1,
      id: 'x',
      isOld: true,
      seenAt: 5,
    }
    const answer = await server.post('toy', body)
    expect(answer.status).toBe(400)
    expect(fieldsOf(answer)).toEqual(
      [
        'code',
        'name',
        'pieces',
        'email',
        'colour',
        'boughtOn',
        'ownerId',
        'friendIds.1',
        'place.room',
        'place.shelf',
        'place.nothing',
        'parts.1.part',
        'keeperNote',
        'strange',
        'id',
        'isOld',
        'seenAt',
      ].toSorted(),
    )
    expect(answer.body.message).toEqual(
      expect.arrayContaining([
        'Code: This field is required',
        'Pieces: Must be 1 or more',
        'Place / Room: This field is required',
      ]),
    )
    expect(answer.body.message).toContain('Parts 2 / Part: This field is required')
    const russian = await server.call('POST', 'toy', { body, headers: { 'accept-language': 'ru' } })
    expect(russian.body.message).toEqual(expect.arrayContaining(['Код: Обязательное поле', 'Владелец: Такой записи нет']))
    expect((russian.body.message as string[]).length).toBe(fieldsOf(answer).length)
    expect(await server.select('select count(*) from "toy"')).toEqual([before])
  })

  it('asks the rules across fields in the words of the definition', async () => {
    const answer = await server.post('toy', { code: 'X', name: 'x', boughtOn: '2026-01-02', soldOn: '2026-01-01', pieces: 0 })
    expect(answer.body.message).toEqual(['Pieces: Must be 1 or more', 'Sold: A toy is sold after it was bought'])
  })

  it.each([[null], [[]], ['text'], [5]])('refuses %j as a body', async (body) => {
    const answer = await server.call('POST', 'toy', {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(400)
  })

  it.each([
    ['name', ['x']],
    ['name', '\u0000'],
    ['name', '\ud800'],
    ['name', '   '],
    ['pieces', '5'],
    ['pieces', 1.5],
    ['pieces', 2 ** 53 + 2],
    ['isLoud', 'true'],
    ['ratio', '1'],
    ['boughtOn', '0000-01-01'],
    ['seenAt', '9999-12-31T23:59:59-14:00'],
    ['extra', { a: '\u0000' }],
    ['ownerId', 5],
    ['ownerId', '\u0000'],
    ['tags', 'x'],
    ['code', null],
    ['serial', 'abc'],
    ['zone', 'Moon/Base'],
  ])('refuses %s = %j', async (name, value) => {
    const answer = await server.post('toy', { code: `R-${++count}`, name: 'Bear', [name]: value })
    expect(answer.status).toBe(400)
  })

  it('refuses fields of others with their names, before anything else', async () => {
    const answer = await server.post('toy', { price: 5, name: '' }, 'moderator')
    expect(answer.status).toBe(403)
    expect(answer.body).toMatchObject({ code: 'field-forbidden', fields: { price: expect.stringContaining('Price') } })
    expect((await server.post('toy', { code: 'Y', name: 'y' }, 'client')).status).toBe(403)
  })

  it('lets one of twenty have a unique value', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => server.post('toy', { code: 'ONLY', name: 'Bear' })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    const refused = answers.filter(({ status }) => status === 409)
    expect(refused).toHaveLength(19)
    expect(refused[0]?.body).toMatchObject({ code: 'duplicate', fields: { code: expect.any(String) } })
    expect(refused[0]?.body.message).toContain('Code')
  })

  it('happens once for a request key', async () => {
    const send = (key: string, body: Json) => server.call('POST', 'toy', { body, headers: { 'idempotency-key': key } })
    const body = { code: 'KEY-1', name: 'Bear' }
    const answers = await Promise.all([send('k1', body), send('k1', body), send('k1', body)])
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(answers.map(({ body: { id } }) => id)).size).toBe(1)
    expect(await send('k1', { ...body, name: 'Doll' })).toMatchObject({
      status: 422,
      body: { current: { id: answers[0]?.body.id } },
    })
    expect((await send('k2', { name: 'Doll' })).status).toBe(400)
    expect((await send('k2', { code: 'KEY-2', name: 'Doll' })).status).toBe(201)
    expect((await send(' '.repeat(3), body)).status).toBe(400)
  })
})
