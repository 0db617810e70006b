import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { z } from 'zod'
import { type AppOptions, buildApp } from '#server/app/app.ts'
import type { Caller } from '#server/base/caller.ts'
import { readConfig } from '#server/base/config.ts'
import type { Api } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import type { Database, DatabaseTables } from '#server/db/connect.ts'

const admin: Caller = {
  userId: 'u1',
  role: 'admin',
  sessionId: 's1',
  email: 'a@b.example',
  user: { id: 'u1', email: 'a@b.example', role: 'admin', firstName: 'A', lastName: 'B', language: null, timezone: null },
}

/** One route of each kind; any token counts as signed in. */
export function toyRoutes(api: Api) {
  api.addHook('onRequest', async (request) => {
    const { authorization } = request.headers
    if (authorization) request.caller = { ...admin, role: authorization === 'Bearer client' ? 'client' : 'admin' }
  })
  api.get('/open', { config: { access: 'public' } }, async ({ query }) => ({ query }))
  api.get('/mine', { config: { access: 'user' } }, async ({ caller }) => ({ id: caller?.userId }))
  api.get('/staff', { config: { access: ['admin', 'moderator'] } }, async () => ({ ok: true }))
  api.get('/big', { config: { access: 'public' } }, async () => ({ text: 'word '.repeat(1000) }))
  api.get('/broken', { config: { access: 'public' } }, async () => {
    throw new Error('secret table "user" at /srv/app/file.ts')
  })
  api.get(
    '/wrong-answer',
    { config: { access: 'public' }, schema: { response: { 200: z.object({ n: z.number() }) } } },
    async () => ({ n: 'x' as never }),
  )
  api.get('/stale', { config: { access: 'public' } }, async () => {
    throw problem('stale-version', { current: { id: '1', version: 4 } })
  })
  api.post(
    '/thing',
    { config: { access: ['admin'] }, schema: { body: z.strictObject({ role: z.string().optional(), n: z.int().optional() }) } },
    async ({ body }) => ({ body }),
  )
  api.delete('/thing/:id', { config: { access: 'public' } }, async (_request, reply) => reply.code(204).send())
}

/** For servers that never ask theirs: nothing listens there. */
export function idleDatabase(): Database {
  const pool = new pg.Pool({ host: '127.0.0.1', port: 1 })
  const kysely = new Kysely<DatabaseTables>({ dialect: new PostgresDialect({ pool }) })
  return { kind: 'server', pool, kysely, listen: async () => async () => {}, close: () => pool.end() }
}

/** A server with the toy routes, without limits and silent, unless said otherwise. */
export const buildToyApp = (options: Partial<AppOptions> = {}): Promise<Api> =>
  buildApp({
    config: readConfig({ RATE_LIMIT_PER_MIN: '100000' }),
    database: idleDatabase(),
    logger: false,
    register: toyRoutes,
    ...options,
  })

export const json = { 'content-type': 'application/json' }
export const signedIn = { authorization: 'Bearer admin' }
