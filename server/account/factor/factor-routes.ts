import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { passkeysOf } from '#server/account/passkey/passkey-store.ts'
import { relyingPartyOf } from '#server/account/passkey/relying-party.ts'
import { accountProblem } from '#server/account/problems.ts'
import { takeLoginAttempt } from '#server/account/session/login-attempt.ts'
import { holdOwnAccount } from '#server/account/session/sign-out.ts'
import { nameOf, type Person, personById } from '#server/account/user-store.ts'
import { callerOf } from '#server/base/caller.ts'
import type { Config } from '#server/base/config.ts'
import type { Api } from '#server/base/context.ts'
import type { MailTemplate } from '#server/base/mail.ts'
import { problem } from '#server/base/problems.ts'
import { forgetAttempts, limits } from '#server/base/rate-limits.ts'
import { requireFresh } from '#server/engine/records/fresh-confirmation.ts'
import type { RecordTools, Work } from '#server/engine/records/resource-rules.ts'
import { confirmedBy, waysToConfirm } from './confirm-route.ts'
import {
  beginTotp,
  clearAfterLast,
  codesWithFirst,
  confirmTotp,
  factorsOf,
  hasFactor,
  isRequired,
  removeTotp,
} from './factor-store.ts'
import { renewRecoveryCodes } from './recovery-codes.ts'

export const enrolmentSchema = z.object({ secret: z.string(), uri: z.string() })
export const recoverySchema = z.object({ recoveryCodes: z.array(z.string()) })
export const codeSchema = z.string().trim().min(1).max(40)
const passkeySchema = z.object({ id: z.string(), name: z.string(), createdAt: z.string(), lastUsedAt: z.string().nullable() })
/** `passkeyOrigin`: the console's origin for passkeys; null when browsers accept none there. */
const stateSchema = z.object({
  totpAt: z.string().nullable(),
  passkeys: z.array(passkeySchema),
  passkeyOrigin: z.string().nullable(),
  recoveryLeft: z.int(),
  required: z.boolean(),
  confirmedBy: z.enum(waysToConfirm),
})

const settings = { access: 'user', audit: { action: 'add-factor', entityType: 'user' } } as const

/** Notifies the user of a change of the own second factor. */
export function notifyFactorChange(
  work: Pick<Work, 'mail' | 'language'>,
  person: Person,
  template: MailTemplate,
  more: Readonly<Record<string, string>> = {},
): void {
  const values = { name: nameOf(person), ...more }
  work.mail({ to: person.email, language: person.language ?? work.language, template, values })
}

export type Own = { work: Work; person: Person }

/** Runs a change of the own second factor; the session must be freshly confirmed. */
export function asOwner<T>(tools: RecordTools, request: FastifyRequest, task: (own: Own) => Promise<T>): Promise<T> {
  const { confirmAfterMin: minutes } = tools.context.config
  return tools.transact(request, async (work) => {
    // Before what is read: of two concurrent changes the second sees the result of the first.
    await holdOwnAccount(work)
    await requireFresh(work.db, work.caller, { now: work.now, minutes })
    const person = await personById(work.db, work.caller.userId)
    if (!person) throw problem('not-found')
    return task({ work, person })
  })
}

type Note = { action: string; before?: { passkey: string }; after?: { passkey: string } }

export const noted = ({ work, person: { id, email } }: Own, note: Note) =>
  work.audit({ ...note, entityType: 'user', entityId: id, code: email })

function enrolRoutes(api: Api, tools: RecordTools): void {
  const { config } = tools.context
  const begin = { summary: 'Begin to set up an authenticator app', tags: ['session'], response: { 200: enrolmentSchema } }
  api.post('/auth/factor/totp', { config: settings, schema: begin }, (request) =>
    asOwner(tools, request, async ({ work: { db, now }, person: { id, email } }) => {
      const begun = await beginTotp(db, { userId: id, email, now, config })
      if (!begun) throw accountProblem('second-factor.present')
      return begun
    }),
  )
  const body = z.strictObject({ code: codeSchema })
  const summary = 'Finish the set-up by a code of the app; the recovery codes are answered once'
  const confirm = { summary, tags: ['session'], body, response: { 200: recoverySchema } }
  api.put('/auth/factor/totp', { config: settings, schema: confirm }, async (request) => {
    const ids = await takeLoginAttempt(tools.context, limits.ownPassword(callerOf(request).userId))
    return asOwner(tools, request, async (own) => {
      const { work, person } = own
      const { db, now } = work
      const proof = { userId: person.id, code: request.body.code, now, config }
      const before = await factorsOf(db, person.id)
      if (!(await confirmTotp(db, proof))) throw accountProblem('wrong-code')
      await forgetAttempts(db, ids)
      await noted(own, { action: 'add-factor' })
      notifyFactorChange(work, person, 'factor-added')
      return { recoveryCodes: await codesWithFirst(db, person.id, before) }
    })
  })
}

/** True when the last factor was removed. If the role requires one, this throws and the transaction rolls back. */
export async function afterRemoval({ work, person }: Own, config: Pick<Config, 'requireSecondFactor'>): Promise<boolean> {
  const isLast = await clearAfterLast(work.db, person.id)
  if (isLast && isRequired(config, person.role)) throw accountProblem('second-factor.required')
  return isLast
}

function changeRoutes(api: Api, tools: RecordTools): void {
  const { config } = tools.context
  const remove = { summary: 'Remove the own authenticator app', tags: ['session'], response: { 204: z.null() } }
  api.delete('/auth/factor/totp', { config: { access: 'user' }, schema: remove }, async (request, reply) => {
    await asOwner(tools, request, async (own) => {
      const { work, person } = own
      if (!(await removeTotp(work.db, person.id))) throw accountProblem('second-factor.absent')
      const isLast = await afterRemoval(own, config)
      await noted(own, { action: 'remove-factor' })
      notifyFactorChange(work, person, isLast ? 'factor-removed' : 'app-removed')
    })
    return reply.code(204).send(null)
  })
  const summary = 'Make new recovery codes; those before are dead'
  const renew = { summary, tags: ['session'], response: { 200: recoverySchema } }
  api.post('/auth/factor/recovery', { config: { access: 'user' }, schema: renew }, (request) =>
    asOwner(tools, request, async (own) => {
      const { work, person } = own
      if (!hasFactor(await factorsOf(work.db, person.id))) throw accountProblem('second-factor.absent')
      await noted(own, { action: 'renew-recovery-codes' })
      return { recoveryCodes: await renewRecoveryCodes(work.db, person.id) }
    }),
  )
}

export function factorRoutes(api: Api, tools: RecordTools): void {
  const { config, database } = tools.context
  const summary = 'Second factors of the caller'
  const schema = { summary, tags: ['session'], response: { 200: stateSchema } }
  api.get('/auth/factor', { config: { access: 'user' }, schema }, async (request) => {
    const caller = callerOf(request)
    const { totpAt, recoveryLeft } = await factorsOf(database.kysely, caller.userId)
    const passkeys = await passkeysOf(database.kysely, caller.userId)
    const passkeyOrigin = relyingPartyOf(config)?.origin ?? null
    return {
      totpAt,
      recoveryLeft,
      passkeys,
      passkeyOrigin,
      required: isRequired(config, caller.role),
      confirmedBy: await confirmedBy(tools.context, caller),
    }
  })
  enrolRoutes(api, tools)
  changeRoutes(api, tools)
}
