import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { isObject } from '#schema/is-object.ts'
import { permissionsFor } from '#schema/permission-snapshot.ts'
import { emailSchema } from '#server/account/email-schema.ts'
import { challengeRoutes } from '#server/account/factor/challenge-routes.ts'
import { confirmRoute } from '#server/account/factor/confirm-route.ts'
import { providerSignOutUrl, sealedTokenOf } from '#server/account/oidc/provider-sign-out.ts'
import { callerOf } from '#server/base/caller.ts'
import type { Api, ServerContext } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import { waitFor } from '#server/base/rate-limits.ts'
import type { Queryable } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { addAudit } from '#server/engine/audit/audit-entry.ts'
import { idParams } from '#server/engine/routes/route-schemas.ts'
import { deviceLabel } from '#server/notify/device-label.ts'
import { notifyOwner } from './notify-owner.ts'
import type { Passwords } from './password.ts'
import { endReused } from './register-sessions.ts'
import { sessionEnded } from './session-endings.ts'
import { sessionEvents } from './session-events.ts'
import { endSession, type FoundToken, findToken, listSessions, renewToken } from './session-store.ts'
import { limitsOf, signIn } from './sign-in.ts'
import { signInDeviceOf } from './sign-in-device.ts'
import { bearerToken } from './token.ts'
import { challengeSchema, tokenSchema, userSchema } from './token-schema.ts'

const verbsSchema = z.object({
  list: z.boolean(),
  show: z.boolean(),
  create: z.boolean(),
  edit: z.boolean(),
  delete: z.boolean(),
})
const namesSchema = z.array(z.string())
const meSchema = z.object({
  user: userSchema,
  permissions: z.record(
    z.string(),
    verbsSchema.extend({ import: z.boolean(), actions: namesSchema, hidden: namesSchema, locked: namesSchema }),
  ),
})
/** Where the browser ends the session at the sign-in provider, too. */
const signedOutSchema = z.object({ providerUrl: z.string() })
const sessionSchema = z.object({
  id: z.string(),
  label: z.string(),
  ip: z.string().nullable(),
  createdAt: z.string(),
  lastSeenAt: z.string(),
  current: z.boolean(),
})

/** Removes the push registration of a user who signs out. */
export type ForgetDevice = (db: Queryable, device: { userId: string; pushId: string }) => Promise<void>

/** The session of a possibly expired token, as refresh and logout accept it. */
async function sessionOf(context: ServerContext, request: FastifyRequest): Promise<{ token: string; found: FoundToken }> {
  const token = bearerToken(request.headers.authorization)
  if (!token) throw problem('not-signed-in')
  const found = await findToken(context.database.kysely, token, context.clock())
  if (found?.state === 'reused') await endReused(context, found, request)
  if (found?.state !== 'live' && found?.state !== 'expired') throw sessionEnded(found?.endReason)
  return { token, found }
}

/** Checked before validation: a validation error must not reveal whether the account is locked for now. */
async function refuseWhileBarred({ database, clock }: ServerContext, request: FastifyRequest): Promise<void> {
  const typed: unknown = isObject(request.body) ? Reflect.get(request.body, 'email') : undefined
  const email = typeof typed === 'string' ? typed.slice(0, 300).trim().toLowerCase() : ''
  const asked = { email, ip: request.ip, device: signInDeviceOf(request) }
  const { tried } = await limitsOf(database.kysely, asked, clock())
  const retryAfterS = await waitFor(database.kysely, tried, clock())
  if (retryAfterS > 0) throw problem('too-many-logins', { retryAfterS })
}

function tokenRoutes(api: Api, context: ServerContext, passwords: Passwords): void {
  const { database, clock, config } = context
  api.post(
    '/auth/login',
    {
      config: { access: 'public', audit: { action: 'login', entityType: 'session' } },
      preValidation: (request) => refuseWhileBarred(context, request),
      schema: {
        summary: 'Sign in',
        tags: ['session'],
        body: z.strictObject({ email: emailSchema, password: z.string().min(1).max(128) }),
        response: { 200: tokenSchema, 202: challengeSchema },
      },
    },
    async (request, reply) => {
      const label = deviceLabel(request.headers['user-agent'])
      const { email, password } = request.body
      const opened = await signIn(context, passwords, {
        email,
        password,
        ip: request.ip,
        label,
        requestId: request.id,
        device: signInDeviceOf(request),
        onManyFailures: (person) => notifyOwner(context, person, request),
      })
      return 'challenge' in opened ? reply.code(202).send(opened) : reply.send(opened)
    },
  )
  api.post(
    '/auth/refresh',
    {
      // The token may be expired, so the usual check would refuse it.
      config: { access: 'public' },
      schema: { summary: 'Renew the token of this session', tags: ['session'], response: { 200: tokenSchema } },
    },
    async (request) => {
      const { token, found } = await sessionOf(context, request)
      return inTransaction(database, (db) => renewToken(db, { token, found, now: clock(), ttlS: config.tokenTtlS }))
    },
  )
}

function logoutRoute(api: Api, context: ServerContext, forgetDevice: ForgetDevice | undefined): void {
  const { database, clock } = context
  api.post(
    '/auth/logout',
    {
      config: { access: 'public' },
      schema: {
        summary: 'End this session',
        tags: ['session'],
        body: z.strictObject({ pushId: z.string().min(1).max(4096).nullish() }).nullish(),
        response: { 200: signedOutSchema, 204: z.null() },
      },
    },
    async (request, reply) => {
      const { found } = await sessionOf(context, request)
      const { userId, sessionId, role } = found.caller
      const token = await inTransaction(database, async (db) => {
        const at = clock()
        const kept = await sealedTokenOf(db, sessionId)
        await endSession(db, { sessionId, userId, now: at, reason: 'logout' })
        const line = { at, actorId: userId, role, requestId: request.id, ip: request.ip }
        await addAudit(db, { ...line, action: 'logout', entityType: 'session', entityId: sessionId })
        const pushId = request.body?.pushId
        if (pushId) await forgetDevice?.(db, { userId, pushId })
        return kept
      })
      sessionEvents.emit('ended', { userId, sessionId })
      const providerUrl = token === undefined ? undefined : await providerSignOutUrl(context, { userId, token })
      return providerUrl === undefined ? reply.code(204).send(null) : reply.send({ providerUrl })
    },
  )
}

function ownSessionRoutes(api: Api, { database, clock, definitions }: ServerContext): void {
  api.get(
    '/auth/me',
    {
      config: { access: 'user' },
      schema: { summary: 'Who is signed in, and what the role may do', tags: ['session'], response: { 200: meSchema } },
    },
    async (request) => {
      const { user, role } = callerOf(request)
      const permissions = permissionsFor(definitions, role)
      const answered = Object.entries(permissions).map(([name, { actions, hidden, locked, ...verbs }]) => [
        name,
        { ...verbs, actions: [...actions], hidden: [...hidden], locked: [...locked] },
      ])
      return { user, permissions: Object.fromEntries(answered) }
    },
  )
  api.get(
    '/auth/session',
    {
      config: { access: 'user' },
      schema: { summary: 'Own sessions that live', tags: ['session'], response: { 200: z.array(sessionSchema) } },
    },
    async (request, reply) => {
      const { userId, sessionId } = callerOf(request)
      const sessions = await listSessions(database.kysely, userId, clock())
      reply.header('X-Total-Count', sessions.length)
      return sessions.map((session) => ({ ...session, current: session.id === sessionId }))
    },
  )
  api.delete(
    '/auth/session/:id',
    {
      config: { access: 'user' },
      schema: {
        summary: 'End one of the own sessions',
        tags: ['session'],
        params: idParams,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { userId, role } = callerOf(request)
      const sessionId = request.params.id
      await inTransaction(database, async (db) => {
        const at = clock()
        if (!(await endSession(db, { sessionId, userId, now: at, reason: 'ended by user' }))) throw problem('not-found')
        const line = { at, actorId: userId, role, requestId: request.id, ip: request.ip }
        await addAudit(db, { ...line, action: 'end session', entityType: 'session', entityId: sessionId })
      })
      sessionEvents.emit('ended', { userId, sessionId })
      return reply.code(204).send(null)
    },
  )
}

/** Routes below /auth. */
export function sessionRoutes(
  api: Api,
  context: ServerContext,
  { passwords, forgetDevice }: { passwords: Passwords; forgetDevice?: ForgetDevice | undefined },
): void {
  tokenRoutes(api, context, passwords)
  challengeRoutes(api, context)
  confirmRoute(api, context)
  logoutRoute(api, context, forgetDevice)
  ownSessionRoutes(api, context)
}
