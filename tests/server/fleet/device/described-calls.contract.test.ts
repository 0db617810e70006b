import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { openLine } from '#tests/support/device-line.ts'

type Parameter = { name: string; in: string; required?: boolean; description?: string }
type Document = {
  paths: Record<string, Record<string, { parameters: Parameter[]; security?: object[]; description: string }>>
}

describe.each(oneEngine(import.meta.filename))('the description of the calls of boards on $name', (engine) => {
  let server: BoardServer
  let document: Document
  beforeAll(async () => {
    server = await openLine(engine)
    document = (await server.call<Document>('GET', 'openapi.json')).body
  })
  afterAll(() => server?.close())

  const headersOf = (method: string, path: string) =>
    (document.paths[path]?.[method]?.parameters ?? []).filter((one) => one.in === 'header')

  it.each([
    ['post', '/device/v1/frames', ['X-Sent-At']],
    ['post', '/ingest', ['X-Sent-At']],
    ['get', '/device/v1/state', ['If-None-Match']],
    ['get', '/device/v1/firmware/{updateId}', ['Range', 'If-Range']],
    ['post', '/device/v1/configuration', []],
    ['post', '/device/v1/updates/{updateId}', []],
    ['post', '/device/v1/key', []],
  ])('names the headers that %s %s reads, and no other', (method, path, names) => {
    const headers = headersOf(method, path)
    expect(headers.map(({ name }) => name)).toEqual(names)
    for (const { required, description } of headers) expect([required, description]).toEqual([false, expect.any(String)])
  })

  it('promises no answer again where there is no account to keep it for', () => {
    const promised = Object.entries(document.paths).flatMap(([path, calls]) =>
      Object.entries(calls).flatMap(([method, { parameters, security }]) =>
        parameters.some(({ name }) => name === 'Idempotency-Key') && security ? [`${method} ${path}`] : [],
      ),
    )
    expect(promised).toEqual([])
  })

  it('says what becomes of a key whose answer was lost', () => {
    expect(document.paths['/device/v1/key']?.post?.description).toContain('only the last key works')
  })
})
