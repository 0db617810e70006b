import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { resources } from '#resources/index.ts'
import { actionBody, createBody } from '#server/engine/routes/route-schemas.ts'
import { embedded } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

type Json = Record<string, unknown>
type Parameter = { name: string; in: string; required: boolean; schema: Json }
type Operation = {
  operationId: string
  tags: string[]
  'x-roles': string[]
  parameters: Parameter[]
  requestBody?: { content: Record<string, { schema: Json }> }
  responses: Record<string, { content?: Record<string, { schema: Json }>; headers?: Json }>
}
type Document = {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json> }
}

describe('the description of the API', () => {
  let server: ToyServer
  let document: Document
  beforeAll(async () => {
    server = await openToyServer(embedded)
    document = (await server.get('openapi.json')).body as Document
  })
  afterAll(() => server.close())

  const operations = () =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    )
  const operation = (method: string, path: string) => {
    const found = document.paths[path]?.[method]
    if (!found) throw new Error(`no ${method} ${path}`)
    return found
  }
  /** The schema as something that can check: every reference of the document resolved. */
  const checker = (schema: Json) =>
    z.fromJSONSchema({
      ...JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/')),
      $defs: JSON.parse(JSON.stringify(document.components.schemas).replaceAll('#/components/schemas/', '#/$defs/')),
    })
  const answerSchema = (method: string, path: string, status: string) =>
    operation(method, path).responses[status]?.content?.['application/json']?.schema ?? {}

  it('is written beside other calls, which it does not hold up', async () => {
    // No other test asks for what an installer is shown, so it is written now.
    let isWritten = false
    const written = server.get('openapi.json', 'installer').finally(() => {
      isWritten = true
    })
    let answers = 0
    for (; !isWritten; answers++) {
      await server.get('health')
      await nextTurn()
    }
    expect((await written).status).toBe(200)
    expect(answers).toBeGreaterThan(5)
  })

  it('is OpenAPI 3.1 and names every call once', () => {
    expect(document.openapi).toBe('3.1.0')
    const names = operations().map(({ operation: { operationId } }) => operationId)
    expect(new Set(names).size).toBe(names.length)
    expect(names.every((name) => /^[a-z][A-Za-z0-9]+$/.test(name))).toBe(true)
  })

  it('has every call that follows from the definitions', () => {
    expect(
      operations()
        .map(({ path, method }) => `${method} ${path}`)
        .toSorted(),
    ).toEqual([
      'delete /person/{id}',
      'delete /task/{id}',
      'delete /task/{id}/due',
      'delete /toy/{id}',
      'get /health',
      'get /openapi.json',
      'get /person',
      'get /person/child',
      'get /person/{id}',
      'get /ready',
      'get /task',
      'get /task/{id}',
      'get /task/{id}/same-toy',
      'get /toy',
      'get /toy/{id}',
      'get /toy/{id}/papers/{file}',
      'get /toy/{id}/picture',
      'get /toy/{id}/task',
      'post /files/toy/papers',
      'post /person',
      'post /task',
      'post /toy',
      'post /toy/{id}/hand-over',
      'put /person/{id}',
      'put /task/{id}',
      'put /task/{id}/finish',
      'put /task/{id}/urgency',
      'put /toy/{id}',
      'put /toy/{id}/press',
    ])
  })

  it('tells roles, parameters by field and operator, bodies and refusals', () => {
    const list = operation('get', '/toy')
    expect(list['x-roles']).toContain('client')
    expect(operation('put', '/task/{id}/finish')['x-roles']).toEqual(['admin', 'moderator', 'service_engineer'])
    expect(list.parameters.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        '_start',
        '_end',
        '_sort',
        '_order',
        'q',
        'code_like',
        'pieces_gte',
        'place.room',
        'state_ne',
        'ownerId_null',
      ]),
    )
    expect(list.parameters.map(({ name }) => name)).not.toContain('pin')
    expect(list.responses[200]?.headers).toHaveProperty('X-Total-Count')
    const body = operation('post', '/toy').requestBody?.content['application/json']?.schema
    expect(body).toMatchObject({ type: 'object', additionalProperties: false, required: ['code', 'name'] })
    for (const { operation: one } of operations()) {
      expect(one.responses).toHaveProperty('default')
      expect(one.tags).toHaveLength(1)
      expect(one.parameters.filter((parameter) => parameter.in === 'path').every(({ required }) => required)).toBe(true)
    }
  })

  it('says in which form values are written', () => {
    const body = operation('post', '/toy').requestBody?.content['application/json']?.schema
    const properties = Object(body).properties as Record<string, unknown>
    expect(properties.code).toMatchObject({ type: 'string', pattern: '^[A-Z0-9][A-Z0-9-]{0,63}$' })
    const optional = (name: string) => (Object(properties[name]).anyOf as Json[])[0]
    expect(optional('email')).toMatchObject({ type: 'string', format: 'email' })
    expect(optional('phone')).toMatchObject({ pattern: '^\\+[1-9]\\d{6,14}$' })
    expect(optional('boughtOn')).toMatchObject({ format: 'date' })
    expect(optional('seenAt')).toMatchObject({ format: 'date-time' })
    const schema = checker({ ...body, additionalProperties: true })
    expect(schema.safeParse({ code: 'T-1', name: 'Bear', phone: '+74951234567', boughtOn: '2026-03-01' }).success).toBe(true)
    expect(schema.safeParse({ code: 't 1', name: 'Bear' }).success).toBe(false)
  })

  it('is true of the answers', async () => {
    const owner = await server.made('person', { email: 'ann@b.example', name: 'Ann', kind: 'CHILD' })
    const made = await server.post('toy', {
      code: 'T-1',
      name: 'Bear',
      ownerId: owner.id,
      place: { room: 'attic' },
      tags: ['x'],
      build: '1.2.3',
    })
    expect(checker(answerSchema('post', '/toy', '201')).safeParse(made.body).error).toBeUndefined()
    const list = await server.get('toy')
    expect(checker(answerSchema('get', '/toy', '200')).safeParse(list.rows).error).toBeUndefined()
    const person = await server.get(`person/${owner.id}`)
    expect(checker(answerSchema('get', '/person/{id}', '200')).safeParse(person.body).error).toBeUndefined()
    const refused = await server.post('toy', {})
    expect(checker(answerSchema('post', '/toy', 'default')).safeParse(refused.body).error).toBeUndefined()
    expect(checker(answerSchema('get', '/toy', '200')).safeParse([{ pieces: 'many' }]).success).toBe(false)
  })

  it('says what every record has, and what is embedded beside a reference', () => {
    const { required, properties } = document.components.schemas.Toy as { required: string[]; properties: Record<string, Json> }
    expect(required.toSorted()).toEqual(['id', 'version'])
    expect(properties.id).toEqual({ type: 'string' })
    expect(properties.version).toMatchObject({ type: 'integer', minimum: 1 })
    const { anyOf } = properties.owner as { anyOf: Json[] }
    expect(anyOf).toContainEqual(expect.objectContaining({ type: 'object', properties: { id: { type: 'string' } } }))
  })

  it('tells everybody of their own calls and the public ones, and the staff of all', async () => {
    const callsOf = async (as: string) => {
      const { paths } = (await server.get('openapi.json', as)).body as Document
      return Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`))
    }
    const all = operations().map(({ path, method }) => `${method} ${path}`)
    expect(await callsOf('service_engineer')).toEqual(all)
    expect(await callsOf('nobody')).toEqual(['get /openapi.json', 'get /health', 'get /ready'])
    const own = operations().filter(({ operation: { 'x-roles': roles } }) =>
      ['public', 'user', 'client'].some((role) => roles.includes(role)),
    )
    expect(own.length).toBeLessThan(all.length)
    expect(await callsOf('client')).toEqual(own.map(({ path, method }) => `${method} ${path}`))
    const { components } = (await server.get('openapi.json', 'nobody')).body as Document
    expect(Object.keys(components.schemas)).toEqual(['Problem'])
  })

  it('knows what is fixed in the body of an action, and takes nothing else for it', () => {
    const label = ['Test', 'Проверить'] as const
    const tests = { label, body: { status: 'TESTING' }, form: { note: { type: 'text', label } } } as const
    const body = actionBody([{ action: tests }, { action: { label, body: { status: 'ACTIVE' } } }])
    expect(body.safeParse({ status: 'TESTING', note: 'x' }).success).toBe(true)
    expect(body.safeParse({ status: 'ACTIVE' }).success).toBe(true)
    expect(body.safeParse({ status: 'LOST' }).success).toBe(false)
    expect(body.safeParse({ status: 5 }).success).toBe(false)
    expect(body.safeParse({ note: 'x' }).success).toBe(false)
  })

  it('has a page to try it that carries no data and no script of others', async () => {
    const page = await server.get('docs', 'nobody')
    expect(page.status).toBe(200)
    expect([...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address)).toEqual([
      'data:,',
      'docs/swagger-ui.css',
      'docs/swagger-ui-bundle.js',
      'docs/script.js',
    ])
    for (const [name, type] of [
      ['swagger-ui.css', 'text/css'],
      ['swagger-ui-bundle.js', 'text/javascript'],
      ['script.js', 'text/javascript'],
    ] as const) {
      const file = await server.get(`docs/${name}`, 'nobody')
      expect([file.status, file.headers['content-type']]).toEqual([200, expect.stringContaining(type)])
      expect(file.text.length).toBeGreaterThan(500)
    }
    const script = await server.get('docs/script.js', 'nobody')
    const started: Json[] = []
    const browser = Object.fromEntries([['SwaggerUIBundle', (options: Json) => started.push(options)]])
    const replaced: unknown[] = []
    const document = { createElement: () => ({}), getElementById: () => ({ replaceWith: (by: unknown) => replaced.push(by) }) }
    new Function('window', 'localStorage', 'document', script.text)(browser, { getItem: () => null }, document)
    expect(started).toMatchObject([{ url: 'openapi.json', domNode: { id: 'calls' } }])
    expect(replaced).toEqual([{ id: 'calls' }])
  })

  it('asks on a shared path for what each of its definitions asks for, and no less', () => {
    const [user, client] = ['user', 'client'].map((name) => resources.find((resource) => resource.name === name))
    if (!user || !client) throw new Error('the definitions of people are not there')
    const missing = createBody([user, client]).safeParse({})
    expect(missing.error?.issues.map(({ path }) => path.join('.')).toSorted()).toEqual(['email', 'firstName', 'lastName'])
  })
})
