import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { notifyOwner } from '#server/account/session/notify-owner.ts'
import { signInDeviceOf } from '#server/account/session/sign-in-device.ts'
import { tokenSchema } from '#server/account/session/token-schema.ts'
import type { Api, ServerContext } from '#server/base/context.ts'
import type { MailTemplate } from '#server/base/mail.ts'
import { languageOf } from '#server/base/problems.ts'
import { deviceLabel } from '#server/notify/device-label.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { codeSchema, enrolmentSchema, recoverySchema } from './factor-routes.ts'
import { beginAtSignIn, enrolAtSignIn, type FactorChange, type SecondStep, signInByCode } from './second-step.ts'

/** Returned after a correct password; authorises the calls of the second step. */
export const challengeToken = z.string().min(1).max(200)
const step = z.strictObject({ challenge: challengeToken, code: codeSchema })

const templates: Readonly<Record<FactorChange['kind'], MailTemplate>> = {
  added: 'factor-added',
  passkey: 'passkey-added',
  recovery: 'recovery-code-used',
}

const valuesOf = (change: FactorChange): Record<string, string> =>
  change.kind === 'recovery' ? { count: String(change.left) } : change.kind === 'passkey' ? { passkey: change.name } : {}

/** A second-factor attempt of a request; the owner is notified of repeated failures and of changes. */
export const presentedBy = (context: ServerContext, request: FastifyRequest, token: string): SecondStep => ({
  challenge: token,
  ip: request.ip,
  label: deviceLabel(request.headers['user-agent']),
  requestId: request.id,
  device: signInDeviceOf(request),
  onManyFailures: (person) => notifyOwner(context, person, request),
  onChange: async (db, { email, firstName, language }, change) => {
    const mail = { to: email, language: language ?? languageOf(request), template: templates[change.kind] }
    await mailerOf(context).add(db, { ...mail, values: { name: firstName, ...valuesOf(change) } })
  },
})

/** Public routes authorised by a challenge: codes, and the setup of an app. */
export function challengeRoutes(api: Api, context: ServerContext): void {
  const config = { access: 'public', audit: { action: 'login', entityType: 'session' } } as const
  const asked = (request: FastifyRequest, { challenge, code }: z.infer<typeof step>) => ({
    ...presentedBy(context, request, challenge),
    code,
  })
  const signedIn = <T>(answer: T): T => {
    mailerOf(context).work()
    return answer
  }
  const byCode = {
    summary: 'Finish the sign-in by a second factor',
    tags: ['session'],
    body: step,
    response: { 200: tokenSchema },
  }
  api.post('/auth/challenge/code', { config, schema: byCode }, async (request) =>
    signedIn(await signInByCode(context, asked(request, request.body))),
  )
  const begin = {
    summary: 'Begin to set up the second factor that the role needs',
    tags: ['session'],
    body: z.strictObject({ challenge: challengeToken }),
    response: { 200: enrolmentSchema },
  }
  api.post('/auth/challenge/totp', { config, schema: begin }, (request) => beginAtSignIn(context, request.body.challenge))
  const enrol = {
    summary: 'Finish the set-up and the sign-in by a code of the app; the recovery codes are answered once',
    tags: ['session'],
    body: step,
    response: { 200: tokenSchema.extend(recoverySchema.shape) },
  }
  api.put('/auth/challenge/totp', { config, schema: enrol }, async (request) =>
    signedIn(await enrolAtSignIn(context, asked(request, request.body))),
  )
}
