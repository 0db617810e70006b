import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resources } from '#resources/index.ts'
import { type Role, roles } from '#schema/roles.ts'
import { parts } from '#server/app/parts.ts'
import { oneEngine, openProductTables } from '#tests/support/databases.ts'
import { anyValue, type Described, describedQuery, type Parameter } from '#tests/support/described-values.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'
import { openServer } from '#tests/support/open-server.ts'
import { threadTimeOf } from '#tests/support/thread-time.ts'

type Sender = Role | 'nobody'
type Operation = {
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema?: Described }> }
}
type Document = { paths: Record<string, Record<string, Operation>> }
type Route = { call: string; query: Record<string, Described>; body: Described | undefined }
type Sent = { sender: Sender; id: number; query: Record<string, unknown>; body: unknown }

/** Other calls every day, the same ones all day; a run of another day is repeated by its `SEED`. `RUNS` are calls of each route. */
const seed = Number(process.env.SEED ?? Math.floor(Date.now() / 86_400_000))
const runsPerRoute = Number(process.env.RUNS ?? 4)
const mostWorkMs = 500

/** They replace the fleet that the other calls are about, or are streams that do not end. */
const left = ['POST /demo-fleet', 'DELETE /demo-fleet', 'GET /events']

/** The rows of each table of a definition, in one text. */
const contentsOf = (tables: readonly string[]) =>
  `select string_agg("one", ' ') as "all" from (${tables
    .map((table) => `select md5(string_agg("t"::text, '' order by "id")) as "one" from "${table}" as "t"`)
    .join(' union all ')}) as "contents"`

describe.each(oneEngine(import.meta.filename))('random calls on $name', (engine) => {
  const tokens = new Map<Role, string>()
  const routes: Route[] = []
  const ids = ['01890000-0000-7000-8000-000000000000', 'x']
  let tables: string[] = []
  let server: FleetServer
  let people = 0
  let last = ''

  beforeAll(async () => {
    const env = {
      DEMO: '1',
      DEMO_SIZE: '5',
      LOG_LEVEL: 'silent',
      SECRETS_KEY: 'a key of random calls, long enough to be taken',
    }
    // Nothing works in the background: a row that changes was changed by a call.
    const still = parts.map(({ start: _, ...part }) => part)
    server = new FleetServer(
      await openServer({ database: await openProductTables(engine), parts: still, env, isListening: true }),
    )
    const headers = { authorization: `Bearer ${await server.as('admin')}` }
    const { paths }: Document = (await server.app.inject({ url: '/api/openapi.json', headers })).json()
    for (const [path, calls] of Object.entries(paths))
      for (const [name, { parameters, requestBody }] of Object.entries(calls)) {
        const body = requestBody?.content['application/json']?.schema
        routes.push({ call: `${name.toUpperCase()} ${path}`, query: describedQuery(parameters), body })
      }
    const names = await server.rows<{ name: string }>(`select "tablename" as "name" from pg_tables where schemaname = 'public'`)
    const known = new Set(names.map(({ name }) => name))
    tables = resources.map(({ name }) => name.replaceAll('-', '_')).filter((table) => known.has(table))
    for (const table of tables)
      ids.push(...(await server.rows<{ id: string }>(`select "id" from "${table}" order by "id" limit 2`)).map(({ id }) => id))
    last = await contents()
  }, 120_000)
  afterAll(async () => {
    server?.app.server.closeAllConnections()
    await server?.close()
  })

  const contents = async () => JSON.stringify(await server.rows(contentsOf(tables)))

  /** A random call may lock, delete or sign out the person who makes it: then another one goes on. */
  async function tokenOf(sender: Sender): Promise<string | undefined> {
    if (sender === 'nobody') return undefined
    const known = tokens.get(sender)
    if (known) return known
    people += 1
    const { token } = await server.signedIn({ email: `random-${people}@test.example`, role: sender })
    tokens.set(sender, token)
    last = await contents()
    return token
  }

  async function send({ call }: Route, { sender, id, query, body }: Sent): Promise<number> {
    const [method = '', path = ''] = call.split(' ')
    const token = await tokenOf(sender)
    const texts = Object.entries(query).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ])
    const address = path.replace(/\{\w+\}/g, encodeURIComponent(ids[id % ids.length] ?? ''))
    const answer = await fetch(`${server.app.listeningOrigin}/api${address}?${new URLSearchParams(texts)}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(method !== 'GET' && { 'content-type': 'application/json' }),
      },
      ...(method !== 'GET' && { body: JSON.stringify(body) }),
    })
    await answer.arrayBuffer()
    if (answer.status === 401 && sender !== 'nobody') tokens.delete(sender)
    return answer.status
  }

  async function tryOnce(route: Route, sent: Sent): Promise<void> {
    await tokenOf(sent.sender)
    let status = 0
    const { workMs } = await threadTimeOf(async () => {
      status = await send(route, sent)
    })
    if (status >= 500) throw new Error(`answered with ${status}`)
    if (workMs > mostWorkMs) throw new Error(`took ${Math.round(workMs)} ms of work`)
    if (route.call.startsWith('GET ')) return
    const before = last
    last = await contents()
    if (status >= 400 && last !== before) throw new Error(`was refused with ${status} and changed a row`)
  }

  it('are answered with no fault and in a moment by every route, as every role, and change nothing when they are refused', async () => {
    expect(routes.length).toBeGreaterThan(100)
    const faults: string[] = []
    for (const [index, route] of routes.filter(({ call }) => !left.includes(call)).entries()) {
      const sent = fc.record({
        sender: fc.constantFrom<Sender>(...roles, 'nobody', 'admin', 'admin'),
        id: fc.nat(200),
        query: fc.record(Object.fromEntries(Object.entries(route.query).map(([name, one]) => [name, anyValue(one)])), {
          requiredKeys: [],
        }),
        body: anyValue(route.body),
      })
      const property = fc.asyncProperty(sent, (one) => tryOnce(route, one))
      const { failed, counterexample, errorInstance } = await fc.check(property, {
        seed: seed + index,
        numRuns: runsPerRoute,
        endOnFailure: true,
      })
      if (failed) faults.push(`${route.call} ${JSON.stringify(counterexample)} ${errorInstance}; repeat it with SEED=${seed}`)
    }
    expect(faults).toEqual([])
  }, 120_000)
})
