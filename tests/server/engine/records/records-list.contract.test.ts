import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

const bodies = [
  {
    code: 'T-1',
    name: 'Bear',
    pieces: 3,
    powerW: 1.5,
    isLoud: false,
    colour: 'RED',
    boughtOn: '2019-05-01',
    build: '2.10.0',
    price: 5,
  },
  {
    code: 'T-2',
    name: 'böat',
    pieces: 2,
    colour: 'BLUE',
    boughtOn: '2024-05-01',
    seenAt: '2026-01-01T10:00:00+03:00',
    build: '2.9.0',
  },
  { code: 'T-3', name: 'Ёж', pieces: 9, place: { room: 'attic', shelf: 2, lock: 'x' }, build: '10.0.0', story: 'long' },
  { code: 'T-4', name: '100% wool', pieces: 9, place: { room: 'cellar', shelf: 1 } },
  { code: 'T-5', name: 'a_b\\c', pieces: 4, tags: ['x', 'y'], parts: [{ part: 'leg', count: 4 }], extra: { deep: [1, null] } },
  { code: 'T-6', name: 'Doll', email: 'Doll@Example.com', zone: 'Europe/Moscow', serial: 'a0ff' },
]

describe.each(engines)('a list on $name', (engine) => {
  let server: ToyServer
  let owner: Record<string, unknown>
  beforeAll(async () => {
    server = await openToyServer(engine)
    const zed = await server.made('person', { email: 'zed@b.example', name: 'Zed', kind: 'ADULT' })
    owner = await server.made('person', { email: 'ann@b.example', name: 'Ann', kind: 'CHILD' })
    const owners: Record<string, unknown> = { 'T-1': zed.id, 'T-3': owner.id }
    for (const body of bodies)
      await server.made('toy', { ...body, ...(owners[body.code] ? { ownerId: owners[body.code] } : {}) })
  })
  afterAll(() => server.close())

  const codes = async (query: string, as = 'admin') => {
    const answer = await server.get(`toy?${query}`, as)
    if (answer.status !== 200) throw new Error(`${query}: ${answer.status} ${answer.text}`)
    return answer.rows.map(({ code }) => String(code).slice(2)).join('')
  }

  it.each([
    ['', '123456'],
    ['code=T-1', '1'],
    ['code=T-1&code=T-4', '14'],
    ['code_ne=T-1&code_ne=T-4', '2356'],
    ['name_like=b', '125'],
    ['name_like=BÖ', '2'],
    ['name_like=%25', '4'],
    ['name_like=_', '5'],
    ['name_like=%5C', '5'],
    ['q=ё', '3'],
    ['q=100%25', '4'],
    ['q=t-', '123456'],
    ['q=a_b', '5'],
    ['q=t-%20bear', '1'],
    ['q=%22bear%20t%22', ''],
    ['pieces_gte=4', '345'],
    ['pieces_lte=3', '126'],
    ['pieces_gte=2.5&pieces_lte=4', '15'],
    ['pieces=3.5', ''],
    ['pieces_ne=9', '1256'],
    ['isLoud=false', '1'],
    ['isLoud_ne=false', '23456'],
    ['isLoud_null=true', '23456'],
    ['colour=RED&colour=BLUE', '12'],
    ['colour_null=false', '12'],
    ['state=NEW', '123456'],
    ['boughtOn_gte=2020-01-01', '2'],
    ['boughtOn_lte=2019-05-01', '1'],
    ['seenAt_gte=2026-01-01', '2'],
    ['seenAt=2026-01-01T07:00:00Z', '2'],
    ['seenAt_lte=2026-01-01T07:00:00.000Z', '2'],
    ['place.room=attic', '3'],
    ['place.shelf_gte=1', '34'],
    ['place.room_null=true', '1256'],
    ['isOld=true', '1'],
    ['isOld_null=true', '3456'],
    ['taskCount=0', '123456'],
    ['price=5', '1'],
    ['id_null=true', ''],
    ['version=1', '123456'],
    ['_sort=name&_order=desc', '362154'],
    ['_sort=name', '451263'],
    ['_sort=pieces,code&_order=desc,desc', '435126'],
    ['_sort=build', '213456'],
    ['_sort=build&_order=desc', '312654'],
    ['_sort=place.shelf', '431256'],
    ['_sort=isOld,code&_order=desc,asc', '123456'],
    ['_sort=ownerId', '312456'],
    ['_sort=boughtOn&_order=desc&_start=0&_end=2', '21'],
    ['_start=2&_end=4', '34'],
    ['_start=100&_end=120', ''],
  ])('finds by %s', async (query, expected) => {
    expect(await codes(query)).toBe(expected)
  })

  it('tells the exact total whatever the page, and a new one after a change', async () => {
    expect((await server.get('toy?_start=0&_end=2')).total).toBe(6)
    expect((await server.get('toy?_start=100&_end=101')).total).toBe(6)
    expect((await server.get('toy?q=bear')).total).toBe(1)
    const { id } = await server.made('toy', { code: 'T-7', name: 'Bear' })
    expect((await server.get('toy?_start=0&_end=2')).total).toBe(7)
    expect((await server.get('toy?q=bear')).total).toBe(2)
    expect((await server.delete(`toy/${id}`)).status).toBe(204)
    expect((await server.get('toy?q=bear')).total).toBe(1)
  })

  it('carries values as they travel: moments in UTC with milliseconds, null for what is missing, summaries beside references', async () => {
    const [second] = (await server.get('toy?code=T-2')).rows
    expect(second).toMatchObject({
      seenAt: '2026-01-01T07:00:00.000Z',
      boughtOn: '2024-05-01',
      powerW: null,
      ownerId: null,
      owner: null,
    })
    expect(second).toMatchObject({
      createdAt: '2026-03-02T08:00:00.123Z',
      createdBy: 'u1',
      createdByRef: null,
      version: 1,
      isOld: false,
    })
    const [third] = (await server.get('toy?code=T-3')).rows
    expect(third).toMatchObject({ ownerId: owner.id, owner: { id: owner.id, email: 'ann@b.example' }, taskCount: 0 })
    expect(third?.place).toEqual({ room: 'attic', shelf: 2, keeperId: null, keeper: null, checkedAt: null, lock: 'x' })
    const [fifth] = (await server.get('toy?code=T-5')).rows
    expect(fifth).toMatchObject({ tags: ['x', 'y'], parts: [{ part: 'leg', count: 4 }], extra: { deep: [1, null] }, pieces: 4 })
    const [sixth] = (await server.get('toy?code=T-6')).rows
    expect(sixth).toMatchObject({ email: 'doll@example.com', pieces: 1 })
  })

  it('names the choices that there are for a wrong one, like the calls that write', async () => {
    const choices = 'Choose one of: Red (RED), Blue (BLUE)'
    expect((await server.get('toy?colour=GREEN')).body.fields).toEqual({ colour: choices })
    expect((await server.post('toy', { code: 'T-9', name: 'x', colour: 'GREEN' })).body.fields).toEqual({ colour: choices })
    const headers = { 'accept-language': 'ru' }
    const inRussian = await server.call('GET', 'toy?colour=GREEN', { headers })
    expect(inRussian.body.fields).toEqual({ colour: 'Допустимые значения: Красный (RED), Синий (BLUE)' })
  })

  it('leaves out what only the record carries, what is secret, and what the role may not read', async () => {
    const [asAdmin] = (await server.get('toy?code=T-3')).rows
    expect(asAdmin).not.toHaveProperty('story')
    expect(asAdmin).not.toHaveProperty('pin')
    const [asClient] = (await server.get('toy?code=T-3', 'client')).rows
    expect(asClient).not.toHaveProperty('price')
    expect(asClient?.place).toEqual({ room: 'attic', shelf: 2, keeperId: null, keeper: null, checkedAt: null })
    expect(asClient).toMatchObject({ email: '***', owner: { id: owner.id, email: 'ann@b.example' } })
  })

  it.each([
    ['nothing=1'],
    ['price=5', 'client'],
    ['_sort=price', 'client'],
    ['place.lock=x', 'client'],
    ['pin=1234'],
    ['_sort=pin'],
    ['code_gte=1'],
    ['tags_gte=x'],
    ['_sort=tags'],
    ['pieces=many'],
    ['pieces_gte=1&pieces_gte=2'],
    ['isLoud=maybe'],
    ['colour=GREEN'],
    ['boughtOn=2026-02-30'],
    ['seenAt_gte=yesterday'],
    ['isLoud_null=maybe'],
    ['_start=-1'],
    ['_end=100000'],
    ['_start=5&_end=5'],
    ['_sort=id;drop%20table%20toy'],
    ['_sort=code&_order=sideways'],
    ["_sort=code'%22--"],
    ["code'--=1"],
    ['q=%00'],
    ['name=%00'],
    ['place.=1'],
    ['.room=1'],
  ])('refuses %s as %s', async (query, as = 'admin') => {
    const { status, body } = await server.get(`toy?${query}`, as)
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid' })
  })

  it.each(['\'; drop table "toy"; --', '$user.id', '$record.code', '$record.nothing', '{1,2}', "' or '1'='1", '%', '\\'])(
    'takes %s for nothing but text',
    async (text) => {
      const word = encodeURIComponent(text)
      for (const query of [`q=${word}`, `name=${word}`, `name_ne=${word}`, `name_like=${word}`, `ownerId=${word}`]) {
        expect((await server.get(`toy?${query}`)).status).toBe(200)
      }
      expect((await server.get(`toy?name=${word}`)).total).toBe(0)
    },
  )

  it('tells every fault at once in the asked language', async () => {
    const headers = { 'accept-language': 'ru' }
    const { body } = await server.call('GET', 'toy?nothing=1&pieces=many&_end=9999', { headers })
    expect(body.message).toHaveLength(3)
    expect(Object.keys(body.fields as object)).toEqual(expect.arrayContaining(['nothing', 'pieces', '_end']))
  })

  it('narrows rows to the scope of a role', async () => {
    const mine = await server.made('task', { title: 'Mine', kind: 'CLEAN', assigneeId: owner.id })
    await server.made('task', { title: 'Theirs', kind: 'CLEAN' })
    const as = `service_engineer:${owner.id}`
    expect((await server.get('task', as)).rows.map(({ id }) => id)).toEqual([mine.id])
    expect((await server.get('task', as)).total).toBe(1)
    expect((await server.get('task')).total).toBe(2)
  })

  it('is one of a part only, where the definition is', async () => {
    const { rows, total } = await server.get('person/child', 'moderator')
    expect(rows.map(({ email }) => email)).toEqual(['ann@b.example'])
    expect(total).toBe(1)
    expect(rows[0]).not.toHaveProperty('kind')
    expect((await server.get('person', 'moderator')).status).toBe(403)
    expect((await server.get('person')).total).toBe(2)
  })

  it('stands below a record that the caller may see', async () => {
    const [first, second] = (await server.get('toy?_sort=code')).rows
    await server.made('task', { title: 'One', kind: 'CLEAN', toyId: first?.id, isUrgent: true })
    await server.made('task', { title: 'Two', kind: 'REPAIR', toyId: first?.id })
    const { rows, total } = await server.get(`toy/${first?.id}/task?kind=CLEAN`)
    expect(rows.map(({ title }) => title)).toEqual(['One'])
    expect(total).toBe(1)
    expect((await server.get(`toy/${second?.id}/task`)).rows).toEqual([])
    expect((await server.get('toy/nothing/task')).status).toBe(404)
    expect((await server.get(`toy/${first?.id}/task?nothing=1`)).status).toBe(400)
    expect((await server.get('toy?taskCount_gte=1')).rows.map(({ code }) => code)).toEqual(['T-1'])
    const [one] = rows
    expect((await server.get(`task/${one?.id}/same-toy`)).total).toBe(2)
    const alone = await server.made('task', { title: 'Three', kind: 'CLEAN' })
    expect((await server.get(`task/${alone.id}/same-toy`)).total).toBe(0)
    expect((await server.get(`task/${alone.id}/same-toy`, `service_engineer:${owner.id}`)).status).toBe(404)
    expect((await server.get(`task/${alone.id}/same-toy`, 'client')).status).toBe(403)
  })
})
