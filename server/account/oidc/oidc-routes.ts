import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { safePath } from '#schema/wire/safe-path.ts'
import { relyingPartyOf } from '#server/account/passkey/relying-party.ts'
import { takeLoginAttempt } from '#server/account/session/login-attempt.ts'
import { signInDeviceOf } from '#server/account/session/sign-in-device.ts'
import { challengeSchema, tokenSchema } from '#server/account/session/token-schema.ts'
import { callerOf } from '#server/base/caller.ts'
import type { Api, ServerContext } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import { forgetAttempts, limits } from '#server/base/rate-limits.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { RecordTools } from '#server/engine/records/resource-rules.ts'
import { deviceLabel } from '#server/notify/device-label.ts'
import { beginAttempt, takeBegun } from './attempt.ts'
import { wantedClaims } from './claims.ts'
import { confirmBy } from './confirm.ts'
import { enter } from './enter.ts'
import { addressOfProvider, type Claims, claimsOf } from './exchange.ts'
import { oidcProblem } from './oidc-problems.ts'
import { oidcOf } from './oidc-settings.ts'
import { type Provider, providerOf } from './provider.ts'

const begunSchema = z.object({ url: z.string(), browser: z.string() })
/** `passkeyOrigin`: the console's origin for passkeys; null when browsers accept none there. */
const methodsSchema = z.object({ provider: z.object({ label: z.string() }).nullable(), passkeyOrigin: z.string().nullable() })
/** `query`: parameters added by the provider; `browser`: the secret that the page received at the start. */
const returned = z.strictObject({ query: z.string().min(1).max(6000), browser: z.string().min(1).max(200) })
type Returned = z.infer<typeof returned>

/** The provider of this server; without one these routes answer 404. */
function knownProvider({ config }: ServerContext): Provider {
  const settings = oidcOf(config)
  if (!settings) throw problem('not-found')
  return providerOf(config, settings)
}

type Begin = { sessionId: string | null; to: string }

async function begin(context: ServerContext, { sessionId, to }: Begin) {
  const provider = knownProvider(context)
  // Checked before anything is stored: while the provider is down the user stays on this page.
  await provider.configuration()
  const begun = await inTransaction(context.database, (db) => beginAttempt(db, { sessionId, to, now: context.clock() }))
  return { url: await addressOfProvider(provider, begun, sessionId !== null), browser: begun.browser }
}

type Come = { claims: Claims; to: string; startedAt: string }

async function comeBack(
  context: ServerContext,
  request: FastifyRequest<{ Body: Returned }>,
  sessionId: string | null,
): Promise<Come> {
  const provider = knownProvider(context)
  const { database, clock, config } = context
  const { query, browser } = request.body
  const state = new URLSearchParams(query).get('state') ?? ''
  // Used up in its own transaction, so that a refused code cannot be retried.
  const attempt = await inTransaction(database, (db) => takeBegun(db, { state, browser, sessionId, now: clock() }))
  const claims = await claimsOf(provider, { query, attempt, wanted: wantedClaims(config), log: request.log })
  return { claims, to: attempt.to, startedAt: attempt.startedAt }
}

function signInRoutes(api: Api, tools: RecordTools): void {
  const { context } = tools
  const config = { access: 'public', audit: { action: 'login', entityType: 'session' } } as const
  const methods = { summary: 'Ways to sign in beside the password', tags: ['session'], response: { 200: methodsSchema } }
  api.get('/auth/methods', { config: { access: 'public' }, schema: methods }, async () => {
    const settings = oidcOf(context.config)
    const passkeyOrigin = relyingPartyOf(context.config)?.origin ?? null
    return { provider: settings ? { label: settings.label } : null, passkeyOrigin }
  })
  const beginSchema = {
    summary: 'Begin a sign-in through the provider: the address to go to',
    tags: ['session'],
    body: z.strictObject({ to: z.string().max(2000).optional() }),
    response: { 200: begunSchema },
  }
  api.post('/auth/oidc', { config, schema: beginSchema }, async (request) => {
    await takeLoginAttempt(context, limits.providerAddress(request.ip))
    return begin(context, { sessionId: null, to: safePath(request.body.to) })
  })
  const path = z.object({ to: z.string() })
  const finishSchema = {
    summary: 'Finish a sign-in through the provider by what it added to the address',
    tags: ['session'],
    body: returned,
    response: { 200: tokenSchema.extend(path.shape), 202: challengeSchema.extend(path.shape) },
  }
  api.put('/auth/oidc', { config, schema: finishSchema }, async (request, reply) => {
    const ids = await takeLoginAttempt(context, limits.address(request.ip))
    const { claims, to } = await comeBack(context, request, null)
    const label = deviceLabel(request.headers['user-agent'])
    const asked = { ip: request.ip, label, requestId: request.id, device: signInDeviceOf(request) }
    const entered = await enter(tools, request, { claims, asked })
    await forgetAttempts(context.database.kysely, ids)
    return 'challenge' in entered ? reply.code(202).send({ ...entered, to }) : reply.send({ ...entered, to })
  })
}

function confirmRoutes(api: Api, tools: RecordTools): void {
  const { context } = tools
  const config = { access: 'user', audit: { action: 'confirm', entityType: 'session' } } as const
  const beginSchema = {
    summary: 'Begin to confirm the own identity at the provider: the address to go to',
    tags: ['session'],
    response: { 200: begunSchema },
  }
  api.post('/auth/oidc/confirm', { config, schema: beginSchema }, async (request) => {
    await takeLoginAttempt(context, limits.providerAddress(request.ip))
    return begin(context, { sessionId: callerOf(request).sessionId, to: '/' })
  })
  const finishSchema = {
    summary: 'Confirm the own identity by a new sign-in at the provider',
    tags: ['session'],
    body: returned,
    response: { 200: z.object({ confirmedAt: z.string() }) },
  }
  api.put('/auth/oidc/confirm', { config, schema: finishSchema }, async (request) => {
    const caller = callerOf(request)
    const ids = await takeLoginAttempt(context, limits.ownPassword(caller.userId))
    const { claims, startedAt } = await comeBack(context, request, caller.sessionId)
    const refusal = await confirmBy(context, request, { caller, claims, startedAt, ids })
    if (refusal) throw oidcProblem(refusal)
    return { confirmedAt: context.clock().toISOString() }
  })
}

/** So that the first sign-in or sign-out need not wait for a slow provider. */
function discoverEarly(api: Api, { config }: ServerContext): void {
  const settings = oidcOf(config)
  if (settings)
    api.addHook(
      'onListen',
      async () =>
        void providerOf(config, settings)
          .configuration()
          .catch(() => undefined),
    )
}

export function oidcRoutes(api: Api, tools: RecordTools): void {
  discoverEarly(api, tools.context)
  signInRoutes(api, tools)
  confirmRoutes(api, tools)
}
