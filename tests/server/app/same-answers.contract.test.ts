import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resources } from '#resources/index.ts'
import type { Role } from '#schema/roles.ts'
import { parts } from '#server/app/parts.ts'
import { engines, openProductTables, type TestEngine } from '#tests/support/databases.ts'
import { anyValue, type Described, describedQuery, type Parameter } from '#tests/support/described-values.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'
import { openServer } from '#tests/support/open-server.ts'
import { postgresUrl } from '#tests/support/postgres.ts'

type Operation = { parameters?: Parameter[] }
type Document = { paths: Record<string, { get?: Operation }> }
type Route = { path: string; query: Record<string, Described> }

/** Other queries every day, the same ones all day; a run of another day is repeated by its `SEED`. `RUNS` are calls of each route. */
const seed = Number(process.env.SEED ?? Math.floor(Date.now() / 86_400_000))
const runsPerRoute = Number(process.env.RUNS ?? 3)
const readers: readonly Role[] = ['admin', 'admin', 'moderator', 'service_engineer', 'client']

/** A stream that does not end, and what the calls themselves write, whose ids are random. */
const left = ['/events', '/user/{id}/data', '/auth/session', '/audit-log', '/audit-log/{id}', '/export/audit-log']
/** The clock stands: both fleets are the same. */
const at = Date.parse('2026-03-02T08:00:00Z')

async function serverOn(engine: TestEngine): Promise<FleetServer> {
  const env = {
    DEMO: '1',
    DEMO_SIZE: '6',
    LOG_LEVEL: 'silent',
    SECRETS_KEY: 'a key of the same answers, long enough to be taken',
  }
  const still = parts.map(({ start: _, ...part }) => part)
  return new FleetServer(await openServer({ database: await openProductTables(engine), parts: still, env, clock: { at } }))
}

describe.runIf(postgresUrl())('the same call on both engines', () => {
  const servers: FleetServer[] = []
  const routes: Route[] = []
  const ids = ['01890000-0000-7000-8000-000000000000', 'x']

  beforeAll(async () => {
    for (const engine of engines) servers.push(await serverOn(engine))
    const [first] = servers
    if (!first) return
    const { paths }: Document = JSON.parse((await first.call('GET', 'openapi.json', { token: await first.as('admin') })).text)
    for (const [path, { get }] of Object.entries(paths)) {
      if (!get || left.includes(path)) continue
      routes.push({ path, query: describedQuery(get.parameters) })
    }
    const names = await first.rows<{ name: string }>(`select "tablename" as "name" from pg_tables where schemaname = 'public'`)
    const known = new Set(names.map(({ name }) => name))
    for (const table of resources.map(({ name }) => name.replaceAll('-', '_')).filter((one) => known.has(one)))
      ids.push(...(await first.rows<{ id: string }>(`select "id" from "${table}" order by "id" limit 2`)).map(({ id }) => id))
  }, 240_000)
  afterAll(async () => {
    for (const server of servers) await server.close()
  })

  async function askedOf(server: FleetServer, role: Role, address: string): Promise<string> {
    const { status, headers, text } = await server.call('GET', address, { token: await server.as(role) })
    const body = text.replace(/"requestId":"\w+"/, '"requestId":""').replace(/number: \w{16}/, '')
    return `${status} ${headers['x-total-count'] ?? ''} ${body}`
  }

  async function compare({ path }: Route, sent: { role: Role; id: number; query: Record<string, unknown> }): Promise<void> {
    const texts = Object.entries(sent.query).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ])
    const place = path.slice(1).replace(/\{\w+\}/g, encodeURIComponent(ids[sent.id % ids.length] ?? ''))
    const address = `${place}?${new URLSearchParams(texts)}`
    const [one, other] = await Promise.all(servers.map((server) => askedOf(server, sent.role, address)))
    expect(other, `${sent.role} ${address}`).toBe(one)
    if (one?.startsWith('5')) throw new Error(`${address}: ${one}`)
  }

  it('is answered alike, to the last byte, whoever asks and by whichever query', async () => {
    expect(routes.length).toBeGreaterThan(60)
    const faults: string[] = []
    for (const [index, route] of routes.entries()) {
      const query = fc.record(Object.fromEntries(Object.entries(route.query).map(([name, one]) => [name, anyValue(one)])), {
        requiredKeys: [],
      })
      const sent = fc.record({ role: fc.constantFrom(...readers), id: fc.nat(200), query: fc.oneof(fc.constant({}), query) })
      const property = fc.asyncProperty(sent, (one) => compare(route, one))
      const { failed, errorInstance } = await fc.check(property, {
        seed: seed + index,
        numRuns: runsPerRoute,
        endOnFailure: true,
      })
      if (failed) faults.push(`${route.path} ${String(errorInstance).slice(0, 1500)}; repeat it with SEED=${seed}`)
    }
    expect(faults).toEqual([])
  }, 240_000)
})
