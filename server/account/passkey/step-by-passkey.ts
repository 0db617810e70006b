import { z } from 'zod'
import { challengeToken, presentedBy } from '#server/account/factor/challenge-routes.ts'
import { recoverySchema } from '#server/account/factor/factor-routes.ts'
import { renewRecoveryCodes } from '#server/account/factor/recovery-codes.ts'
import { challenged, completeStep } from '#server/account/factor/second-step.ts'
import { accountProblem } from '#server/account/problems.ts'
import { lineOf } from '#server/account/session/complete-sign-in.ts'
import { tokenSchema } from '#server/account/session/token-schema.ts'
import type { Api, ServerContext } from '#server/base/context.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { addAudit } from '#server/engine/audit/audit-entry.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { type Ceremony, challengeIn, takeCeremony } from './ceremony.ts'
import { newPasskeySchema, passkeyName } from './own-passkeys.ts'
import { assertionSchema, optionsSchema } from './passkey-schema.ts'
import { keepPasskey } from './passkey-store.ts'
import { knownParty } from './relying-party.ts'
import { creationOptions, provePasskey, registeredKey, requestOptions } from './webauthn.ts'

const config = { access: 'public', audit: { action: 'login', entityType: 'session' } } as const
const opening = z.strictObject({ challenge: challengeToken })

const proving = (challenge: string): Ceremony => ({ purpose: 'second-step', bound: challenge })
const enrolling = (challenge: string): Ceremony => ({ purpose: 'enrol', bound: challenge })

function proveRoutes(api: Api, context: ServerContext): void {
  const { database, clock } = context
  const begin = {
    summary: 'Begin the second step of a sign-in by a passkey: options for the browser',
    tags: ['session'],
    body: opening,
    response: { 200: optionsSchema },
  }
  api.post('/auth/challenge/passkey', { config, schema: begin }, (request) => {
    const rp = knownParty(context.config)
    const token = request.body.challenge
    return inTransaction(database, async (db) => {
      const now = clock()
      await challenged(db, { token, step: 'code', now })
      return { ...(await requestOptions(db, { rp, ceremony: proving(token), now })) }
    })
  })
  const finish = {
    summary: 'Finish the sign-in by a passkey',
    tags: ['session'],
    body: opening.extend({ response: assertionSchema }),
    response: { 200: tokenSchema },
  }
  api.put('/auth/challenge/passkey', { config, schema: finish }, async (request) => {
    const rp = knownParty(context.config)
    const { challenge: token, response } = request.body
    const challenge = challengeIn(response.response.clientDataJSON)
    // Used up in its own transaction, so that a refused response cannot be retried.
    await inTransaction(database, (db) => takeCeremony(db, proving(token), { challenge, now: clock() }))
    const { token: session } = await completeStep(context, presentedBy(context, request, token), {
      step: 'code',
      async prove(db, { id: userId }, now) {
        const refused = await provePasskey(db, { userId, now, rp, challenge, response, log: request.log })
        return refused ? { refused } : { by: 'passkey' }
      },
    })
    return session
  })
}

function enrolRoutes(api: Api, context: ServerContext): void {
  const { database, clock } = context
  const begin = {
    summary: 'Begin to add the passkey that the role needs as a second factor: options for the browser',
    tags: ['session'],
    body: opening,
    response: { 200: optionsSchema },
  }
  api.post('/auth/challenge/passkey/enrol', { config, schema: begin }, (request) => {
    const rp = knownParty(context.config)
    const token = request.body.challenge
    return inTransaction(database, async (db) => {
      const now = clock()
      const person = await challenged(db, { token, step: 'enrol', now })
      return { ...(await creationOptions(db, { rp, ceremony: enrolling(token), now }, person)) }
    })
  })
  const finish = {
    summary: 'Add the passkey and finish the sign-in; the recovery codes are answered once',
    tags: ['session'],
    body: opening.extend(newPasskeySchema.shape),
    response: { 200: tokenSchema.extend(recoverySchema.shape) },
  }
  api.put('/auth/challenge/passkey/enrol', { config, schema: finish }, async (request) => {
    const rp = knownParty(context.config)
    const { challenge: token, response } = request.body
    const challenge = challengeIn(response.response.clientDataJSON)
    const name = passkeyName(request.body.name, request.headers['user-agent'])
    await inTransaction(database, (db) => takeCeremony(db, enrolling(token), { challenge, now: clock() }))
    const asked = presentedBy(context, request, token)
    const { token: session, recoveryCodes } = await completeStep(context, asked, {
      step: 'enrol',
      async prove(db, person, now) {
        const key = await registeredKey({ rp, challenge, response, log: request.log })
        if (!key) return { refused: 'wrong-passkey' }
        const refusal = await keepPasskey(db, { ...key, userId: person.id, name, now })
        if (refusal) throw accountProblem(refusal)
        await asked.onChange?.(db, person, { kind: 'passkey', name })
        const line = { ...lineOf(person, asked), at: now, entityType: 'user', action: 'add-passkey' }
        await addAudit(db, { ...line, after: { passkey: name } })
        return { by: 'passkey', recoveryCodes: await renewRecoveryCodes(db, person.id) }
      },
    })
    mailerOf(context).work()
    return { ...session, recoveryCodes }
  })
}

/** The second step of a sign-in by a passkey, authorised by a challenge. */
export function stepByPasskey(api: Api, context: ServerContext): void {
  proveRoutes(api, context)
  enrolRoutes(api, context)
}
