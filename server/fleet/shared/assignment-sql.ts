import { type RawBuilder, sql } from 'kysely'
import type { ResourceRules } from '#server/engine/records/resource-rules.ts'

/** Whether the assignment "r" of a user holds now; with the scope FULL it lets him act. */
export const isServing = (userId: string, essId: RawBuilder<unknown>) =>
  sql<boolean>`"r"."userId" = ${userId} and "r"."essId" = ${essId} and "r"."state" = 'ACTIVE'
    and ("r"."expiresAt" is null or "r"."expiresAt" > now())`

/** Whether a user serves an ESS with full rights now, so that he may act there. */
export const mayAct = (userId: string, essId: RawBuilder<unknown>) =>
  sql<boolean>`exists (select 1 from "service_engineer" "r" where ${isServing(userId, essId)} and "r"."scope" = 'FULL')`

/** The field `served` of "t", which stands at this ESS: asked for an engineer only. */
export const servedAt =
  (essId: RawBuilder<unknown>): NonNullable<ResourceRules['forCaller']> =>
  (caller) => ({
    served: caller?.role === 'service_engineer' ? mayAct(caller.userId, essId) : sql`null`,
  })
