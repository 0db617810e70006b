import { sql } from 'kysely'
import { engineersOfClient, withoutContacts } from '#server/account/client-contacts.ts'
import type { ResourceRules } from '#server/engine/records/resource-rules.ts'
import { openOfOwner } from '#server/fleet/shared/health-sql.ts'

const derived = {
  guestEssCount: sql`(select count(*) from "guest" g where g."userId" = "t"."id" and g."state" = 'ACTIVE'
    and (g."expiresAt" is null or g."expiresAt" > now()))`,
  activeWarningCount: openOfOwner,
  engineerIds: engineersOfClient,
}

/** Rules of clients beyond those of users. */
export const clientRules: ResourceRules = { derived, present: withoutContacts }
