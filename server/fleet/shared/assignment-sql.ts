import { type RawBuilder, sql } from 'kysely'
import type { ResourceRules } from '#server/engine/records/resource-rules.ts'

/** Condition: the relation "r" is active and not over. */
export const isActiveRelation = sql<boolean>`("r"."state" = 'ACTIVE' and ("r"."expiresAt" is null or "r"."expiresAt" > now()))`

/** Condition: the relation "r" is invited, or active and not over: it is the only one of its person and counts. */
export const isLiveRelation = sql<boolean>`("r"."state" = 'INVITED' or ${isActiveRelation})`

/** Condition: the assignment "r" of a user is active; the scope FULL allows actions. */
export const isActiveAssignment = (userId: string | RawBuilder<unknown>, essId: RawBuilder<unknown>) =>
  sql<boolean>`"r"."userId" = ${userId} and "r"."essId" = ${essId} and ${isActiveRelation}`

/** Condition: the user is assigned to an ESS with full rights. */
export const mayAct = (userId: string, essId: RawBuilder<unknown>) =>
  sql<boolean>`exists (select 1 from "service_engineer" "r" where ${isActiveAssignment(userId, essId)} and "r"."scope" = 'FULL')`

/** Assignment flag of "t" at this ESS; computed for engineers only. */
export const isAssignedSql =
  (essId: RawBuilder<unknown>): NonNullable<ResourceRules['forCaller']> =>
  (caller) => ({
    served: caller?.role === 'service_engineer' ? mayAct(caller.userId, essId) : sql`null`,
  })
