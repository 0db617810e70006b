import { z } from 'zod'
import { notifyOwner } from '#server/account/session/notify-owner.ts'
import { signInDeviceOf } from '#server/account/session/sign-in-device.ts'
import { newToken } from '#server/account/session/token.ts'
import { tokenSchema } from '#server/account/session/token-schema.ts'
import type { Api, ServerContext } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import { limits, takeAttempt } from '#server/base/rate-limits.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { RecordTools } from '#server/engine/records/resource-rules.ts'
import { deviceLabel } from '#server/notify/device-label.ts'
import { confirmByPasskey } from './confirm-by-passkey.ts'
import { enterByPasskey } from './enter-by-passkey.ts'
import { ownPasskeys } from './own-passkeys.ts'
import { assertionSchema, optionsSchema } from './passkey-schema.ts'
import { knownParty } from './relying-party.ts'
import { stepByPasskey } from './step-by-passkey.ts'
import { requestOptions } from './webauthn.ts'

function signInRoutes(api: Api, context: ServerContext): void {
  const { database, clock } = context
  const config = { access: 'public', audit: { action: 'login', entityType: 'session' } } as const
  const begin = {
    summary: 'Begin a sign-in by a passkey alone: options for the browser, and a proof for the tab that asks',
    tags: ['session'],
    response: { 200: z.object({ options: optionsSchema, browser: z.string() }) },
  }
  api.post('/auth/passkey', { config, schema: begin }, (request) => {
    const rp = knownParty(context.config)
    return inTransaction(database, async (db) => {
      const now = clock()
      const { waitS } = await takeAttempt(db, [limits.passkeyAddress(request.ip)], now)
      if (waitS > 0) throw problem('too-many-logins', { retryAfterS: waitS })
      const browser = newToken()
      const options = await requestOptions(db, { rp, ceremony: { purpose: 'sign-in', bound: browser }, now })
      return { options: { ...options }, browser }
    })
  })
  const finish = {
    summary: 'Sign in by a passkey alone',
    tags: ['session'],
    body: z.strictObject({ browser: z.string().min(1).max(200), response: assertionSchema }),
    response: { 200: tokenSchema },
  }
  api.put('/auth/passkey', { config, schema: finish }, (request) =>
    enterByPasskey(context, {
      ...request.body,
      rp: knownParty(context.config),
      ip: request.ip,
      label: deviceLabel(request.headers['user-agent']),
      requestId: request.id,
      device: signInDeviceOf(request),
      log: request.log,
      onManyFailures: (person) => notifyOwner(context, person, request),
    }),
  )
}

export function passkeyRoutes(api: Api, tools: RecordTools): void {
  const { context } = tools
  signInRoutes(api, context)
  stepByPasskey(api, context)
  confirmByPasskey(api, context)
  ownPasskeys(api, tools)
}
