import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { callerOf } from '#server/base/caller.ts'
import type { Api, ServerContext } from '#server/base/context.ts'
import { invalid, problem } from '#server/base/problems.ts'
import { countAttempt, forgetAttempts, limits, takeAttempt } from '#server/base/rate-limits.ts'
import { fileAnswer } from '#server/engine/docs/described-answers.ts'
import { onlyOnce } from '#server/engine/http/idempotency.ts'
import { requireOwnConfirmation } from '#server/engine/records/fresh-confirmation.ts'
import type { RecordTools, Work } from '#server/engine/records/resource-rules.ts'
import { idParams } from '#server/engine/routes/route-schemas.ts'
import { emailSchema } from './email-schema.ts'
import { confirmedBy } from './factor/confirm-route.ts'
import { factorRoutes } from './factor/factor-routes.ts'
import { addInvitation, revokeInvitations } from './invitation.ts'
import { linkRoutes } from './link-routes.ts'
import { oidcRoutes } from './oidc/oidc-routes.ts'
import { ownData } from './own-data/own-data.ts'
import { passkeyRoutes } from './passkey/passkey-routes.ts'
import { restoreRoute } from './restore-password.ts'
import { inputLabel } from './session/input-label.ts'
import { takeLoginAttempt } from './session/login-attempt.ts'
import { passwordFaults, passwordsOf } from './session/password.ts'
import { holdAccount, holdOwnAccount } from './session/sign-out.ts'
import { replacePassword } from './user-password.ts'
import { changePerson, hasSamePassword, nameOf, type Person, personByEmail, personById } from './user-store.ts'

const typedPassword = z.string().min(1).max(128)
const record = z.looseObject({ id: z.string() })

const wrongPassword = () => problem('wrong-password', { faults: [{ path: 'password', code: 'rule' }] })

/** The caller, when the record is the caller's own. */
async function ownPerson({ context }: RecordTools, request: FastifyRequest, id: string): Promise<Person> {
  if (request.caller?.userId !== id) throw problem('forbidden')
  const person = await personById(context.database.kysely, id)
  if (!person) throw problem('not-found')
  return person
}

/** Throws unless it is the person's password. A wrong password is 400: a 401 would sign the console out. */
async function verifyPassword(context: ServerContext, { id, passwordHash }: Person, password: string): Promise<void> {
  // Counted per user: failed sign-ins of strangers do not use up these attempts.
  const ids = await takeLoginAttempt(context, limits.ownPassword(id))
  if (!(await passwordsOf(context).verify(passwordHash, password))) throw wrongPassword()
  await forgetAttempts(context.database.kysely, ids)
}

async function askNewAddress(work: Work, person: Person, wanted: string): Promise<void> {
  const { id } = person
  await countAttempt(work, [limits.changeEmail(id)])
  // The same answer whether or not the address is taken; only the mail to it differs.
  const isTaken = (await personByEmail(work.db, wanted)) !== undefined
  await revokeInvitations({ userId: id, kind: 'EMAIL_CHANGE' }, work)
  await changePerson(work, { id, by: id, set: { pendingEmail: wanted } })
  await addInvitation(work, { kind: 'EMAIL_CHANGE', person, email: wanted, isTaken })
  const values = { name: nameOf(person), email: wanted }
  work.mail({ to: person.email, language: person.language ?? work.language, template: 'change-email-notice', values })
}

function changeEmailRoute(api: Api, tools: RecordTools): void {
  const { context } = tools
  api.post(
    '/user/:id/change-email',
    {
      config: { access: 'user', inputLabel },
      schema: {
        summary: 'Ask to change the own e-mail address; a link is mailed to the new one',
        tags: ['user'],
        params: idParams,
        body: z.strictObject({ email: emailSchema, password: typedPassword.optional() }),
        response: { 200: record },
      },
    },
    async (request) => {
      const { id } = request.params
      const { email: wanted, password } = request.body
      const person = await ownPerson(tools, request, id)
      const isByPassword = (await confirmedBy(context, callerOf(request))) === 'password'
      if (isByPassword && password === undefined) throw invalid([{ path: 'password', code: 'required' }])
      if (password !== undefined) await verifyPassword(context, person, password)
      await tools.transact(request, async (work) => {
        await holdOwnAccount(work)
        // A second factor or a provider confirms by its own call; there the password alone is not enough.
        if (!isByPassword) await requireOwnConfirmation(work.db, work.caller, work.now)
        if (password !== undefined && !(await hasSamePassword(work.db, person))) throw wrongPassword()
        await onlyOnce(work, { request, content: wanted }, async () => {
          await askNewAddress(work, person, wanted)
          return { status: 204 }
        })
      })
      return record.parse(await tools.show(request, 'user', id))
    },
  )
  api.put(
    '/user/:id/password',
    {
      config: { access: 'user', inputLabel },
      schema: {
        summary: 'Change the own password; all sessions end',
        tags: ['user'],
        params: idParams,
        body: z.strictObject({ password: typedPassword, newPassword: z.string().min(1).max(500) }),
        response: { 200: record },
      },
    },
    async (request) => {
      const { id } = request.params
      const { password, newPassword } = request.body
      const faults = passwordFaults(newPassword, request.caller?.email ?? '', 'newPassword')
      if (faults.length > 0) throw invalid(faults)
      const person = await ownPerson(tools, request, id)
      await verifyPassword(context, person, password)
      const hash = await passwordsOf(context).hash(newPassword)
      await tools.transact(request, async (work) => {
        await holdAccount(work.db, person.id)
        if (!(await hasSamePassword(work.db, person))) throw wrongPassword()
        await replacePassword(work, person, hash)
      })
      return record.parse(await tools.show(request, 'user', id))
    },
  )
}

function ownDataRoute(api: Api, tools: RecordTools): void {
  const schema = {
    summary: 'Everything that is kept of the caller, as a file',
    tags: ['user'],
    params: idParams,
    response: { 200: fileAnswer('application/json', 'Account, sessions, devices, own records and actions') },
  }
  const config = { access: 'user', audit: { action: 'export', entityType: 'user' } } as const
  api.get('/user/:id/data', { config, schema, exposeHeadRoute: false }, async (request, reply) => {
    const { id } = request.params
    // Before the refusal: a user invisible to the caller must look nonexistent.
    const account = await tools.show(request, 'user', id)
    if (request.caller?.userId !== id) throw problem('forbidden')
    const data = await tools.transact(request, async (work) => {
      const { waitS } = await takeAttempt(work.db, [limits.ownData(id)], work.now)
      if (waitS > 0) throw problem('too-many', { retryAfterS: waitS })
      await work.audit({ action: 'export', entityType: 'user', entityId: id, code: work.caller.email })
      return ownData(account, work)
    })
    reply.header('content-disposition', `attachment; filename="my-data-${data.madeAt.slice(0, 10)}.json"`)
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(data, null, 2))
  })
}

/** Routes of users that the engine does not derive from the definition. */
export function userRoutes(api: Api, tools: RecordTools): void {
  linkRoutes(api, tools)
  changeEmailRoute(api, tools)
  restoreRoute(api, tools.context)
  ownDataRoute(api, tools)
  factorRoutes(api, tools)
  oidcRoutes(api, tools)
  passkeyRoutes(api, tools)
}
