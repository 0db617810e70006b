import { request } from 'node:http'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Role, roles } from '#schema/roles.ts'
import { parts } from '#server/app/parts.ts'
import type { ServerPart } from '#server/base/context.ts'
import { exportRoles } from '#tests/fixtures/export-roles.ts'
import { roleTable } from '#tests/fixtures/role-table.ts'
import { boardRoutes, ownBytes, ownCallsPerMin, usualBytes } from '#tests/fixtures/route-limits.ts'
import { oneEngine, openProductTables } from '#tests/support/databases.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'
import { openServer } from '#tests/support/open-server.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

const mib = 1024 * 1024
const missing = '01890000-0000-7000-8000-000000000000'
const callsPerMin = 5
const unknownKeysPerAddress = 30
const letters: Record<Role, string> = { admin: 'A', moderator: 'M', service_engineer: 'S', installer: 'I', client: 'C' }

const routes = Object.keys(roleTable)
const methodOf = (route: string) => route.split(' ')[0] as Method
const addressOf = (route: string) => route.split(' ')[1]?.replace(/:\w+/g, missing) ?? ''
const isOpen = (route: string) => roleTable[route]?.includes('N') ?? false
const isOfBoards = (route: string) => boardRoutes.some((each) => each === route)
const mayCall = (route: string, role: Role) => /\*/.test(roleTable[route] ?? '') || roleTable[route]?.includes(letters[role])
const withBody = routes.filter((route) => methodOf(route) !== 'GET')

describe.each(oneEngine(import.meta.filename))('the limits of every route on $name', (engine) => {
  let server: FleetServer
  let key = ''
  const limited: string[] = []
  const watch: ServerPart = {
    name: 'watch',
    register: (api) => {
      api.addHook('onRoute', ({ method, url, config }) => {
        if (config && 'rateLimit' in config) limited.push(`${method} ${url}`)
      })
    },
  }
  let addresses = 0
  /** Each walk comes from an address of its own, which nobody has used up. */
  const newAddress = () => {
    addresses += 1
    return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`
  }

  beforeAll(async () => {
    const env = {
      DEMO: '1',
      DEMO_SIZE: '5',
      LOG_LEVEL: 'silent',
      RATE_LIMIT_PER_MIN: String(callsPerMin),
      TRUST_PROXY: '1',
      SECRETS_KEY: 'a key of the limits of routes, long enough to be taken',
    }
    const database = await openProductTables(engine)
    server = new FleetServer(await openServer({ database, parts: [watch, ...parts], env, isListening: true }))
    for (const role of roles) tokens.set(role, await signedIn(role))
    const [board] = await server.rows<{ id: string }>('select "id" from "control_pcb" limit 1')
    const made = await server.app.inject({
      method: 'POST',
      url: `/api/control-pcb/${board?.id}/device-key`,
      headers: { authorization: `Bearer ${tokens.get('admin')}` },
      remoteAddress: newAddress(),
    })
    key = made.json<{ deviceKey: string }>().deviceKey
  }, 120_000)
  afterAll(() => server?.close())

  const tokens = new Map<Role, string>()
  async function signedIn(role: Role): Promise<string> {
    const email = `${role === 'service_engineer' ? 'engineer' : role}@example.com`
    const payload = { email, password: server.context.config.demoPassword }
    const answer = await server.app.inject({ method: 'POST', url: '/api/auth/login', payload, remoteAddress: newAddress() })
    return answer.json<{ accessToken: string }>().accessToken
  }
  /** A person whom the route takes a body of. */
  const callerOf = (route: string): Record<string, string> => {
    const role = roles.find((each) => mayCall(route, each)) ?? 'admin'
    return isOfBoards(route) ? { 'x-device-key': key } : { authorization: `Bearer ${tokens.get(role)}` }
  }
  /** A body of one letter is neither JSON nor a table, so that nothing is done where it is short enough. */
  const send = async (route: string, bytes: number, isChunked: boolean): Promise<number> => {
    const type = route.startsWith('POST /api/import/') ? 'text/csv' : 'application/json'
    const payload = Buffer.alloc(bytes, 'x')
    const answer = await server.app.inject({
      method: methodOf(route),
      url: addressOf(route),
      headers: { 'content-type': type, ...callerOf(route) },
      payload: isChunked ? Readable.from([payload]) : payload,
      remoteAddress: newAddress(),
    })
    return answer.statusCode
  }

  it.each([false, true])(
    'take a body to its last byte and not one more, of a told length or none: %s',
    async (isChunked) => {
      const wrong: string[] = []
      for (const route of withBody) {
        const most = ownBytes[route] ?? (isOpen(route) ? usualBytes.open : usualBytes.signedIn)
        const statuses = [await send(route, most, isChunked), await send(route, most + 1, isChunked)]
        if (statuses.join() !== '400,413') wrong.push(`${route}: ${statuses}`)
      }
      expect(wrong).toEqual([])
      expect(Object.keys(ownBytes).filter((route) => !withBody.includes(route))).toEqual([])
    },
    120_000,
  )

  it('count the calls of an address before anything else, and say when to come back', async () => {
    const wrong: string[] = []
    for (const route of routes) {
      const remoteAddress = newAddress()
      const most = isOfBoards(route) ? unknownKeysPerAddress : callsPerMin
      const statuses: number[] = []
      let wait = ''
      for (let time = 0; time <= most; time += 1) {
        const headers = { 'x-device-key': 'x'.repeat(43) }
        const answer = await server.app.inject({ method: methodOf(route), url: addressOf(route), headers, remoteAddress })
        statuses.push(answer.statusCode)
        wait = String(answer.headers['retry-after'])
      }
      const isCounted = statuses.indexOf(429) === most && Number(wait) >= 1
      if (!isCounted) wrong.push(`${route}: ${statuses}, come back in ${wait}`)
    }
    expect(wrong).toEqual([])
  }, 120_000)

  it('count apart what is costly, person by person', async () => {
    expect([...new Set(limited)].sort()).toEqual(Object.keys(ownCallsPerMin).sort())
    const headers = { authorization: `Bearer ${tokens.get('admin')}` }
    const exports = Object.keys(exportRoles).filter((route) => !route.includes(':'))
    for (let time = 0; time < 10; time += 1)
      await server.app.inject({ url: addressOf(exports[0] ?? ''), headers, remoteAddress: newAddress() })
    const statuses = await Promise.all(
      exports.map(async (route) => {
        const answer = await server.app.inject({ url: addressOf(route), headers, remoteAddress: newAddress() })
        return [route, answer.statusCode]
      }),
    )
    expect(statuses.filter(([, status]) => status !== 429)).toEqual([])
  }, 60_000)

  /** The answer to a head alone: its body is announced and never sent. */
  const answerToHead = (route: string, token?: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = {
        'content-type': 'application/json',
        'content-length': mib,
        'x-forwarded-for': newAddress(),
        ...(token && { authorization: `Bearer ${token}` }),
      }
      const call = request(server.app.listeningOrigin + addressOf(route), { method: methodOf(route), headers, timeout: 5_000 })
      call.on('response', ({ statusCode = 0 }) => {
        resolve(statusCode)
        call.destroy()
      })
      call.on('timeout', () => call.destroy(new Error(`${route} waits for a body that it will not take`)))
      call.on('error', reject)
      call.flushHeaders()
    })

  it('refuse who may not before a byte of the body is there', async () => {
    const wrong: string[] = []
    for (const route of withBody.filter((each) => !isOpen(each))) {
      const stranger = await answerToHead(route)
      if (stranger !== 401) wrong.push(`${route} of nobody: ${stranger}`)
      const refused = roles.find((role) => !mayCall(route, role))
      const status = refused ? await answerToHead(route, tokens.get(refused)) : 403
      if (status !== 403) wrong.push(`${route} of ${refused}: ${status}`)
    }
    expect(wrong).toEqual([])
  }, 120_000)
})
