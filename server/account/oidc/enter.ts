import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { ServerReason } from '#schema/server-reasons.ts'
import type { SessionToken } from '#schema/wire/wire.ts'
import { type OpenedStep, openStep } from '#server/account/factor/open-step.ts'
import { acceptInvitation } from '#server/account/invitation.ts'
import { openAccountInvitation } from '#server/account/invitation-account.ts'
import { runAs } from '#server/account/link-calls.ts'
import { accountProblem } from '#server/account/problems.ts'
import { barredBy, completeSignIn, lineOf, personOf, type SigningIn } from '#server/account/session/complete-sign-in.ts'
import { changePerson, type Person } from '#server/account/user-store.ts'
import { problem } from '#server/base/problems.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { addAudit } from '#server/engine/audit/audit-entry.ts'
import type { RecordTools, Work } from '#server/engine/records/resource-rules.ts'
import { namesIn, roleIn } from './claims.ts'
import type { Claims } from './exchange.ts'
import { accountOf, link, type Refusal } from './linked-account.ts'
import { oidcProblem } from './oidc-problems.ts'
import { sealedTokenFor } from './provider-sign-out.ts'
import { takeRole } from './take-role.ts'

type Denial = Refusal | 'user.last-admin' | 'user.owns-systems'
type Entered = SessionToken | OpenedStep

/** Thrown to roll back a refused sign-in. */
class Denied extends Error {
  readonly denial: Denial
  constructor(denial: Denial) {
    super(denial)
    this.denial = denial
  }
}

const refusals = {
  'user.deleted': () => problem('user.deleted'),
  'user.locked': () => problem('user.locked'),
  'user.last-admin': () => problem('user.last-admin'),
  'user.owns-systems': () => accountProblem('user.owns-systems'),
  'oidc.only': () => oidcProblem('oidc.only'),
  'oidc.email-unverified': () => oidcProblem('oidc.email-unverified'),
  'oidc.uninvited': () => oidcProblem('oidc.uninvited'),
  'oidc.other-account': () => oidcProblem('oidc.other-account'),
  'oidc.no-role': () => oidcProblem('oidc.no-role'),
  'oidc.not-again': () => oidcProblem('oidc.not-again'),
} as const satisfies Record<Denial, () => Error>

/** A first sign-in completes an invited account, as its mailed link does. */
async function completeAccount(work: Work, person: Person, claims: Claims): Promise<void> {
  const named = namesIn(claims, person.email)
  const set = { firstName: person.firstName || named.firstName, lastName: person.lastName || named.lastName }
  await changePerson(work, { id: person.id, by: person.id, set })
  await work.audit({ action: 'complete', entityType: 'user', entityId: person.id, code: person.email })
  const invitation = await openAccountInvitation(work.db, person.id)
  if (invitation) await acceptInvitation(invitation, work)
}

/**
 * Turns claims into a session, in one transaction in which the account is locked and reread. The lock is that of the console for
 * a change of role: it waits for whoever gives the client a system.
 */
async function admit(work: Work, id: string, { claims, asked }: { claims: Claims; asked: SigningIn }): Promise<Entered> {
  const { db, now, config } = work
  await sql`select 1 from "user" where "id" = ${id} for update`.execute(db)
  const { person, refusal } = await accountOf(db, claims)
  const denial = refusal ?? barredBy(person)
  if (denial || person?.id !== id) throw new Denied(denial ?? 'oidc.uninvited')
  const role = roleIn(claims, config)
  if (role === 'none') throw new Denied('oidc.no-role')
  if (!person.isComplete) await completeAccount(work, person, claims)
  await link(db, { person, claims, now })
  const kept = role === 'kept' ? undefined : await takeRole(work, person, role)
  const entering = await personOf(db, id)
  if (kept || !entering) throw new Denied(kept ?? 'oidc.uninvited')
  const providerToken = sealedTokenFor(config, id, claims.idToken)
  const opened = await openStep(db, config, { id, role: entering.role, changedAt: null, providerToken, now })
  if (!opened) return completeSignIn(db, { config, clock: () => now }, { person: entering, asked, by: 'oidc', providerToken })
  await addAudit(db, { ...lineOf(entering, asked), at: now, action: 'challenge', reason: 'oidc' satisfies ServerReason })
  return opened
}

/** Opens a session for the user authenticated by the provider, or a challenge when a second factor exists or is required. */
export async function enter(
  tools: RecordTools,
  request: FastifyRequest,
  vouched: { claims: Claims; asked: SigningIn },
): Promise<Entered> {
  const { database, clock } = tools.context
  const { person, refusal } = await accountOf(database.kysely, vouched.claims)
  try {
    if (refusal) throw new Denied(refusal)
    return await runAs(tools, request, person, (work) => admit(work, person.id, vouched))
  } catch (error) {
    if (!(error instanceof Denied)) throw error
    // The refusal is audited with its reason; with a caller set it would be audited twice.
    request.caller = null
    await inTransaction(database, async (db) => {
      const line = lineOf(person && (await personOf(db, person.id)), vouched.asked)
      await addAudit(db, { ...line, at: clock(), action: 'login', result: 'DENIED', reason: error.denial })
    })
    throw refusals[error.denial]()
  }
}
