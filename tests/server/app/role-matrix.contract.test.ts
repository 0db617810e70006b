import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resources } from '#resources/index.ts'
import { definitionsOf } from '#schema/definition.ts'
import { type Role, roles } from '#schema/roles.ts'
import { openChallenge } from '#server/account/factor/challenge.ts'
import { buildApp } from '#server/app/app.ts'
import { parts } from '#server/app/parts.ts'
import { readConfig } from '#server/base/config.ts'
import type { Api, ServerPart } from '#server/base/context.ts'
import type { Database } from '#server/db/connect.ts'
import { rowsOf } from '#server/db/query.ts'
import { roleTable } from '#tests/fixtures/role-table.ts'
import { oneEngine, openProductTables } from '#tests/support/databases.ts'

const letters: Record<Role, string> = { admin: 'A', moderator: 'M', service_engineer: 'S', installer: 'I', client: 'C' }
const mail: Record<Role, string> = {
  admin: 'admin@example.com',
  moderator: 'moderator@example.com',
  service_engineer: 'engineer@example.com',
  installer: 'installer@example.com',
  client: 'client@example.com',
}
const missing = '01890000-0000-7000-8000-000000000000'
const may = (allowed: string, role: Role) => allowed.includes('*') || allowed.includes(letters[role])
const addressOf = (route: string) => route.split(' ')[1]?.replace(/:\w+/g, missing) ?? ''
const methodOf = (route: string) => route.split(' ')[0] as 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Calls that end or replace the session of the test, those that ask for a password or a board's key, and a stream that never ends. */
const apart = new Set([
  'POST /api/auth/logout',
  'POST /api/auth/refresh',
  'POST /api/auth/login',
  'POST /api/ingest',
  'POST /api/device/v1/frames',
  'GET /api/device/v1/state',
  'POST /api/device/v1/configuration',
  'POST /api/device/v1/updates/:updateId',
  'GET /api/device/v1/firmware/:updateId',
  'POST /api/device/v1/key',
  'GET /api/events',
])

/** Row counts of every table but sessions and the audit of refusals: a refused call changes none. */
const countsOf = async (database: Database) => {
  const tables = [
    'user',
    'ess',
    'control_pcb',
    'firmware',
    'guest',
    'service_engineer',
    'invitation',
    'configuration',
    'credential',
  ]
  const rows = await Promise.all(
    tables.map((table) => rowsOf(database.kysely, sql<{ count: number }>`select count(*) as "count" from ${sql.table(table)}`)),
  )
  return rows.map(([row]) => row?.count)
}

describe.each(oneEngine(import.meta.filename))('the role matrix on $name', (engine) => {
  const routes: string[] = []
  const tokens: Partial<Record<Role, string>> = {}
  let database: Database
  let app: Api

  const watch: ServerPart = {
    name: 'watch',
    register: (api) => {
      api.addHook('onRoute', ({ method, url }) => {
        for (const name of [method].flat()) if (name !== 'HEAD') routes.push(`${name} ${url}`)
      })
    },
  }
  const call = (route: string, token?: string) =>
    app.inject({
      method: methodOf(route),
      url: addressOf(route),
      headers: token ? { authorization: `Bearer ${token}` } : {},
      ...(methodOf(route) === 'GET' ? {} : { payload: {} }),
    })

  beforeAll(async () => {
    database = await openProductTables(engine)
    const config = readConfig({
      LOG_LEVEL: 'silent',
      DEMO: '1',
      DEMO_SIZE: '5',
      RATE_LIMIT_PER_MIN: '100000',
      SECRETS_KEY: 'a key of the role matrix, long enough to be taken',
    })
    app = await buildApp({ config, database, definitions: definitionsOf(resources), logger: false, parts: [watch, ...parts] })
    await app.ready()
    for (const role of roles) {
      const answer = await app.inject({
        method: 'POST',
        url: '/api/auth/login',
        payload: { email: mail[role], password: config.demoPassword },
      })
      tokens[role] = answer.json<{ accessToken: string }>().accessToken
    }
  }, 120_000)
  afterAll(async () => {
    await app?.close()
    await database?.close()
  })

  it('has a row in the table for every route, and a route for every row', () => {
    expect([...new Set(routes)].sort()).toEqual(Object.keys(roleTable).sort())
  })

  it('answers 401 to anyone who is not signed in, on every call that is not public', async () => {
    const closed = Object.entries(roleTable).filter(([, allowed]) => !allowed.includes('N'))
    const statuses = await Promise.all(closed.map(async ([route]) => [route, (await call(route)).statusCode] as const))
    expect(statuses.filter(([, status]) => status !== 401)).toEqual([])
    const forged = await Promise.all(
      closed.map(async ([route]) => [route, (await call(route, 'x'.repeat(43))).statusCode] as const),
    )
    expect(forged.filter(([, status]) => status !== 401)).toEqual([])
  })

  it('answers 401 to a challenge, which a right password alone is answered with, on every call that is not public', async () => {
    const [admin] = await rowsOf(database.kysely, sql<{ id: string }>`select "id" from "user" where "email" = ${mail.admin}`)
    const asked = { userId: String(admin?.id), step: 'code', changedAt: null, providerToken: null, now: new Date() } as const
    const { challenge } = await openChallenge(database.kysely, asked)
    const closed = Object.entries(roleTable).filter(([, allowed]) => !allowed.includes('N'))
    const statuses = await Promise.all(
      closed.map(async ([route]) => [route, (await call(route, challenge)).statusCode] as const),
    )
    expect(statuses.filter(([, status]) => status !== 401)).toEqual([])
    for (const route of ['POST /api/auth/refresh', 'POST /api/auth/logout'])
      expect([route, (await call(route, challenge)).statusCode]).toEqual([route, 401])
  })

  it.each(roles)('lets the %s in exactly where the table says', async (role) => {
    const before = await countsOf(database)
    const wrong: string[] = []
    const rows = Object.entries(roleTable).filter(([route]) => !apart.has(route))
    for (const [route, allowed] of rows) {
      const { statusCode } = await call(route, tokens[role])
      const isIn = statusCode !== 401 && statusCode !== 403
      if (isIn !== may(allowed, role)) wrong.push(`${route}: ${statusCode}`)
      if (statusCode >= 500) wrong.push(`${route}: ${statusCode}`)
    }
    expect(wrong).toEqual([])
    expect(await countsOf(database)).toEqual(before)
  })
})
