import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { resources } from '#resources/index.ts'
import { callOf, definitionsOf } from '#schema/definition.ts'
import { scenesOf } from '#tests/support/action-scenes.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { UpdatingBoard } from '#tests/support/updating-board.ts'

type Json = Record<string, unknown>
type Body = { required: boolean; content: { 'application/json': { schema: Json } } }
type Document = { paths: Record<string, Record<string, { requestBody?: Body }>> }

const actions = [...definitionsOf(resources).values()].flatMap((resource) =>
  Object.entries(resource.actions ?? {})
    .filter(([, { through }]) => through === undefined)
    .map(([name, action]) => ({ title: `${resource.name} ${name}`, call: callOf(resource, name, action) })),
)

describe.each(oneEngine(import.meta.filename))('the described body of an action on $name', (engine) => {
  let server: BoardServer
  let scenes: ReturnType<typeof scenesOf>
  let document: Document
  beforeAll(async () => {
    server = await UpdatingBoard.openServer(engine)
    scenes = scenesOf(server)
    document = (await server.call<Document>('GET', 'openapi.json')).body
  })
  afterAll(() => server?.close())

  it.each(actions)('$title refuses an empty body exactly where the description asks for one', async ({ title, call }) => {
    const [method, path] = call
    const body = document.paths[`/${path}`]?.[method.toLowerCase()]?.requestBody
    if (!body) throw new Error(`${title} has no described body`)
    const scene = await scenes[title]?.()
    if (!scene) throw new Error(`${title} has no scene`)
    const role = scene.role ?? 'admin'
    const { status, text } = await server.call(method as 'PUT', path.replace('{id}', scene.id), { role })
    expect(status === 400, text).toBe(body.required)
    expect(z.fromJSONSchema(body.content['application/json'].schema).safeParse({}).success).toBe(!body.required)
  })
})
