import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { tellOwner } from '#server/account/session/tell-owner.ts'
import { tokenSchema } from '#server/account/session/token-schema.ts'
import type { Api, ServerContext } from '#server/base/context.ts'
import type { MailTemplate } from '#server/base/mail.ts'
import { languageOf } from '#server/base/problems.ts'
import { deviceLabel } from '#server/notify/device-label.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { codeSchema, enrolmentSchema, recoverySchema } from './factor-routes.ts'
import { beginAtSignIn, enrolAtSignIn, type FactorChange, type SecondStep, signInByCode } from './second-step.ts'

const challenge = z.string().min(1).max(200)
const step = z.strictObject({ challenge, code: codeSchema })

const templates: Readonly<Record<FactorChange['kind'], MailTemplate>> = {
  added: 'factor-added',
  recovery: 'recovery-code-used',
}

/** The second step of a sign-in: public calls that are opened by a challenge, the answer to a right password. */
export function challengeRoutes(api: Api, context: ServerContext): void {
  const config = { access: 'public', audit: { action: 'login', entityType: 'session' } } as const
  const asked = (request: FastifyRequest, body: { challenge: string; code: string }): SecondStep => ({
    ...body,
    ip: request.ip,
    label: deviceLabel(request.headers['user-agent']),
    requestId: request.id,
    onManyFailures: (person) => tellOwner(context, person, request),
    onChange: async (db, { email, firstName, language }, change) => {
      const count = change.kind === 'recovery' ? { count: String(change.left) } : {}
      const letter = { to: email, language: language ?? languageOf(request), template: templates[change.kind] }
      await mailerOf(context).add(db, { ...letter, values: { name: firstName, ...count } })
    },
  })
  const signedIn = <T>(answer: T): T => {
    mailerOf(context).work()
    return answer
  }
  const code = {
    summary: 'Finish the sign-in by a second factor',
    tags: ['session'],
    body: step,
    response: { 200: tokenSchema },
  }
  api.post('/auth/challenge/code', { config, schema: code }, async (request) =>
    signedIn(await signInByCode(context, asked(request, request.body))),
  )
  const begin = {
    summary: 'Begin to set up the second factor that the role needs',
    tags: ['session'],
    body: z.strictObject({ challenge }),
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
