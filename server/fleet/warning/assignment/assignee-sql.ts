import { type RawBuilder, sql } from 'kysely'
import { fleetStaff } from '#schema/roles.ts'
import { isActiveAssignment } from '#server/fleet/shared/assignment-sql.ts'

/** Condition: the user "t" is an active member of the staff. */
export const isStaff = sql<boolean>`("t"."role" in (${sql.join(fleetStaff.map((role) => sql.lit(role)))})
  and "t"."lockedAt" is null and "t"."deletedAt" is null)`

/** Condition: the user "t" may act at an ESS; an engineer does where he serves with full rights. */
export const actsAt = (essId: RawBuilder<unknown>) =>
  sql<boolean>`("t"."role" <> 'service_engineer' or exists (select 1 from "service_engineer" "r"
    where ${isActiveAssignment(sql`"t"."id"`, essId)} and "r"."scope" = 'FULL'))`

/** The ESS of a warning. */
export const essOf = (warningId: string) => sql`(select "w"."essId" from "telemetry_warning" "w" where "w"."id" = ${warningId})`
