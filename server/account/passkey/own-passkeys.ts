import { z } from 'zod'
import { valueSchema } from '#schema/value-schema.ts'
import { afterRemoval, asOwner, noted, notifyFactorChange, recoverySchema } from '#server/account/factor/factor-routes.ts'
import { codesWithFirst, factorsOf } from '#server/account/factor/factor-store.ts'
import { accountProblem } from '#server/account/problems.ts'
import type { Api } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import type { RecordTools } from '#server/engine/records/resource-rules.ts'
import { idParams } from '#server/engine/routes/route-schemas.ts'
import { deviceLabel } from '#server/notify/device-label.ts'
import { type Ceremony, challengeIn, forgetCeremony, takeCeremony } from './ceremony.ts'
import { attestationSchema, optionsSchema } from './passkey-schema.ts'
import { dropPasskey, keepPasskey, renamePasskey } from './passkey-store.ts'
import { knownParty } from './relying-party.ts'
import { creationOptions, registeredKey } from './webauthn.ts'

const nameSchema = valueSchema({ type: 'text', label: ['Name', 'Название'], maxLength: 64 })
export const newPasskeySchema = z.strictObject({ name: nameSchema.optional(), response: attestationSchema })

/** The owner's name for it, else the name of the browser that created it. */
export const passkeyName = (given: unknown, userAgent: string | undefined): string =>
  typeof given === 'string' ? given : deviceLabel(userAgent) || 'Passkey'

const addedBy = (sessionId: string): Ceremony => ({ purpose: 'add', bound: sessionId })

function addRoutes(api: Api, tools: RecordTools): void {
  const { config } = tools.context
  const settings = { access: 'user', audit: { action: 'add-passkey', entityType: 'user' } } as const
  const begin = {
    summary: 'Begin to add a passkey: options for the browser',
    tags: ['session'],
    response: { 200: optionsSchema },
  }
  api.post('/auth/factor/passkey', { config: settings, schema: begin }, (request) => {
    const rp = knownParty(config)
    return asOwner(tools, request, async ({ work: { db, now, caller }, person }) => ({
      ...(await creationOptions(db, { rp, ceremony: addedBy(caller.sessionId), now }, person)),
    }))
  })
  const summary = 'Add a passkey by what the device has made; the first factor is answered with recovery codes, once'
  const schema = { summary, tags: ['session'], body: newPasskeySchema, response: { 200: recoverySchema } }
  api.put('/auth/factor/passkey', { config: settings, schema }, (request) => {
    const rp = knownParty(config)
    const { response } = request.body
    const challenge = challengeIn(response.response.clientDataJSON)
    const name = passkeyName(request.body.name, request.headers['user-agent'])
    return asOwner(tools, request, async (own) => {
      const { work, person } = own
      const { db, now, caller, afterRollback } = work
      await takeCeremony(db, addedBy(caller.sessionId), { challenge, now })
      afterRollback((kept) => forgetCeremony(kept, challenge))
      const key = await registeredKey({ rp, challenge, response, log: request.log })
      if (!key) throw accountProblem('passkey.refused')
      const before = await factorsOf(db, person.id)
      const refusal = await keepPasskey(db, { ...key, userId: person.id, name, now })
      if (refusal) throw accountProblem(refusal)
      await noted(own, { action: 'add-passkey', after: { passkey: name } })
      notifyFactorChange(work, person, 'passkey-added', { passkey: name })
      return { recoveryCodes: await codesWithFirst(db, person.id, before) }
    })
  })
}

function renameRoute(api: Api, tools: RecordTools): void {
  const settings = { access: 'user', audit: { action: 'rename-passkey', entityType: 'user' } } as const
  const schema = {
    summary: 'Rename one of the own passkeys',
    tags: ['session'],
    params: idParams,
    body: z.strictObject({ name: nameSchema }),
    response: { 204: z.null() },
  }
  api.put('/auth/factor/passkey/:id', { config: settings, schema }, async (request, reply) => {
    const { id } = request.params
    const name = String(request.body.name)
    await asOwner(tools, request, async (own) => {
      const former = await renamePasskey(own.work.db, { userId: own.person.id, id, name })
      if (former === undefined) throw problem('not-found')
      if (former !== name) await noted(own, { action: 'rename-passkey', before: { passkey: former }, after: { passkey: name } })
    })
    return reply.code(204).send(null)
  })
}

function removeRoute(api: Api, tools: RecordTools): void {
  const { config } = tools.context
  const settings = { access: 'user', audit: { action: 'remove-passkey', entityType: 'user' } } as const
  const schema = {
    summary: 'Remove one of the own passkeys',
    tags: ['session'],
    params: idParams,
    response: { 204: z.null() },
  }
  api.delete('/auth/factor/passkey/:id', { config: settings, schema }, async (request, reply) => {
    await asOwner(tools, request, async (own) => {
      const { work, person } = own
      const name = await dropPasskey(work.db, { userId: person.id, id: request.params.id })
      if (name === undefined) throw problem('not-found')
      const isLast = await afterRemoval(own, config)
      await noted(own, { action: 'remove-passkey', before: { passkey: name } })
      notifyFactorChange(work, person, isLast ? 'factor-removed' : 'passkey-removed', { passkey: name })
    })
    return reply.code(204).send(null)
  })
}

export function ownPasskeys(api: Api, tools: RecordTools): void {
  addRoutes(api, tools)
  renameRoute(api, tools)
  removeRoute(api, tools)
}
