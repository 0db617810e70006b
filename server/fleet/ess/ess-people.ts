import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { ServerReason } from '#schema/server-reasons.ts'
import { canSignIn } from '#server/account/can-sign-in.ts'
import { invite, revokeInvitations } from '#server/account/invitation.ts'
import { onAccepted, onRevoked } from '#server/account/invitation-events.ts'
import { problem } from '#server/base/problems.ts'
import type { Database } from '#server/db/connect.ts'
import { addEvents, type Change } from '#server/db/events/add-events.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { addServerAudits } from '#server/engine/audit/audit-entry.ts'
import type { ActionHandler, ResourceRules, Row, Work } from '#server/engine/records/resource-rules.ts'
import { fleetProblem } from '#server/fleet/shared/problems.ts'
import { resourceOf, writeColumns } from '#server/fleet/shared/relations.ts'
import { type Announcing, endRelations, engineers, guests, type Kind, kinds, type Relation, tell } from './end-relations.ts'
import { tellPeople } from './tell-people.ts'

type Person = { id: string; email: string; role: string; lockedAt: string | null; deletedAt: string | null }

/**
 * The user named by `userId` or `email`, who keeps the role until the end of the transaction; undefined for an unknown address.
 * Exactly one of the two is required.
 */
async function personMeant({ userId, email }: Row, kind: Kind, work: Work): Promise<Person | undefined> {
  if (!userId === !email) {
    throw fleetProblem('relation.one-person')
  }
  const person = await rowOf(
    work.db,
    sql<Person>`select "id", "email", "role", "lockedAt", "deletedAt" from "user" where ${userId ? sql`"id" = ${userId}` : sql`"email" = ${email}`}
      for key share`,
  )
  if (person && (person.role !== kind.role || person.lockedAt || person.deletedAt)) {
    throw fleetProblem('relation.not-invitable', { faults: [{ path: userId ? 'userId' : 'email', code: 'rule' }] })
  }
  return person
}

async function mustBeFree(kind: Kind, essId: string, ownerId: unknown, person: Person, work: Work): Promise<void> {
  if (kind.table === 'guest' && ownerId === person.id) throw fleetProblem('guest.is-owner')
  const taken = await rowOf(
    work.db,
    sql`select 1 from ${sql.table(kind.table)} where "essId" = ${essId} and "userId" = ${person.id} and "state" in ('INVITED', 'ACTIVE')`,
  )
  if (taken) throw fleetProblem('relation.exists')
}

async function mustHaveRoom(kind: Kind, essId: string, work: Work): Promise<void> {
  if (kind.most === undefined) return
  const row = await rowOf(
    work.db,
    sql<{
      count: number
    }>`select count(*) as "count" from ${sql.table(kind.table)} where "essId" = ${essId} and "state" in ('INVITED', 'ACTIVE')`,
  )
  if ((row?.count ?? 0) >= kind.most) throw fleetProblem('guest.too-many', { values: { max: kind.most } })
}

const relationFacts: Record<Kind['table'], (values: Row, work: Work) => Row> = {
  guest: (values, work) => ({ access: 'VIEW', invitedBy: work.caller.userId, expiresAt: values.expiresAt ?? null }),
  service_engineer: (values, work) => ({ scope: values.scope, assignedBy: work.caller.userId, expiresAt: null }),
}

type Expired = Relation & { essId: string; code: string; expiresAt: string }
const reason: ServerReason = 'access-ended'

/** In the history of the system, beside the invitation and the removal. */
const auditExpired = (db: Queryable, expired: readonly Expired[], now: Date) =>
  addServerAudits(
    db,
    expired.map(({ essId, code, userId, expiresAt }) => ({
      at: now,
      action: 'end-access',
      entityType: 'ess',
      entityId: essId,
      code,
      after: { userId, expiresAt },
      reason,
    })),
  )

/** Ends the access of relations whose time is over: those to one ESS, or all. */
async function expire(kind: Kind, { essId, now }: { essId?: string; now: Date }, work: Announcing): Promise<void> {
  const expired = await rowsOf(
    work.db,
    sql<Expired>`update ${sql.table(kind.table)} "r" set "state" = 'EXPIRED', "version" = "version" + 1, "updatedAt" = ${now}
      where ${essId ? sql`"essId" = ${essId} and` : sql``} "state" = 'ACTIVE' and "expiresAt" <= ${now}
      returning "id", "essId", "userId", "version", "expiresAt", (select "code" from "ess" where "id" = "r"."essId") as "code"`,
  )
  await auditExpired(work.db, expired, now)
  for (const row of expired) tell(kind, row, work)
  if (kind.isAccess) await tellPeople(expired, 'deleted', work)
}

/** Ends accesses whose time is over, so that open pages lose what they may not show any more. */
export async function endAccesses(database: Database, now: Date): Promise<void> {
  await inTransaction(database, async (db) => {
    const changes: Change[] = []
    for (const kind of kinds) await expire(kind, { now }, { db, changed: (change) => void changes.push(change) })
    await addEvents(db, changes, now)
  })
}

const inviteTo =
  (kind: Kind): ActionHandler =>
  async ({ id, values, record, work }) => {
    const known = await personMeant(values, kind, work)
    await expire(kind, { essId: id, now: work.now }, work)
    if (known) await mustBeFree(kind, id, record?.ownerId, known, work)
    await mustHaveRoom(kind, id, work)
    if (values.expiresAt && new Date(String(values.expiresAt)) <= work.now) {
      throw fleetProblem('relation.access-end')
    }
    const whom = known ? { userId: known.id } : { email: String(values.email) }
    const { userId } = await invite({ kind: kind.invitation, role: kind.role, essId: id, ...whom }, work)
    const row: Row = {
      id: uuidv7(),
      essId: id,
      userId,
      state: 'INVITED',
      createdBy: work.caller.userId,
      updatedBy: work.caller.userId,
      ...relationFacts[kind.table](values, work),
    }
    await sql`insert into ${sql.table(kind.table)} (${sql.join(Object.keys(row).map((name) => sql.id(name)))})
      values (${sql.join(Object.values(row))})`.execute(work.db)
    work.changed({ resource: resourceOf(kind.table), id: String(row.id), version: 1, type: 'created' })
    return { made: String(row.id) }
  }

const removeFrom =
  (kind: Kind): ActionHandler =>
  async ({ id, values, work }) => {
    const userId = values.userId ?? null
    const ended = await endRelations(kind, { essId: id, userId, by: work.caller.userId, now: work.now }, work)
    if (ended.length === 0) throw problem('not-found')
    await revokeInvitations({ kind: kind.invitation, essId: id, userId: String(userId) }, work)
  }

const setOwner: ActionHandler = async ({ id, values, record, work }) => {
  const clientId = values.clientId ?? null
  if (clientId !== null) {
    const client = await rowOf(
      work.db,
      sql`select 1 from "user" where "id" = ${clientId} and "role" = 'client' and "lockedAt" is null and "deletedAt" is null
        and ${canSignIn(sql`"user"."id"`)}`,
    )
    if (!client) throw fleetProblem('ess.owner-not-active')
  }
  // Guests belonged to the former owner; engineers stay, since their work is tied to the site.
  const end = { essId: id, by: work.caller.userId, now: work.now, stays: clientId }
  const ended = await endRelations(guests, end, work)
  for (const { userId } of ended) await revokeInvitations({ kind: 'GUEST', essId: id, userId }, work)
  // Earlier measurements belong to the former owner.
  await writeColumns(work, 'ess', id, { ownerId: clientId, ownerSince: work.now })
  if (typeof record?.ownerId === 'string') await tellPeople([{ essId: id, userId: record.ownerId }], 'deleted', work)
}

for (const kind of kinds) {
  onAccepted(kind.invitation, async ({ essId, userId }, work) => {
    const holder = await rowOf(work.db, sql`select 1 from "user" where "id" = ${userId} and "role" = ${kind.role}`)
    if (!holder) throw problem('link.dead')
    const accepted = await rowsOf(
      work.db,
      sql<Relation>`update ${sql.table(kind.table)} set "state" = 'ACTIVE', "version" = "version" + 1, "updatedAt" = ${work.now}, "updatedBy" = ${userId}
        where "essId" = ${essId} and "userId" = ${userId} and "state" = 'INVITED' returning "id", "userId", "version"`,
    )
    for (const row of accepted) tell(kind, row, work)
    if (kind.isAccess && essId)
      await tellPeople(
        accepted.map((row) => ({ essId, userId: row.userId })),
        'created',
        work,
      )
  })
  onRevoked(kind.invitation, async ({ essId, userId }, work) => {
    if (essId) await endRelations(kind, { essId, userId, by: null, now: work.now }, work)
  })
}

const personInputs = ['userId', 'email'] as const

/** Actions on the owner, guests and engineers of an ESS. */
export const essPeopleActions: ResourceRules['actions'] = {
  'set-owner': setOwner,
  'invite-guest': { handler: inviteTo(guests), status: 201, makes: 'guest', oneOf: personInputs },
  'remove-guest': { handler: removeFrom(guests), status: 204 },
  'invite-service-engineer': { handler: inviteTo(engineers), status: 201, makes: 'service-engineer', oneOf: personInputs },
  'remove-service-engineer': { handler: removeFrom(engineers), status: 204 },
}
