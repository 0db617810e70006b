import { sql } from 'kysely'
import type { Caller } from '#server/caller.ts'
import type { ResourceRules, Row } from '#server/records/resource-rules.ts'
import { openOfOwner } from '#server/warnings/health-sql.ts'

const derived = {
  guestEssCount: sql`(select count(*) from "guest" g where g."userId" = "t"."id" and g."state" = 'ACTIVE'
    and (g."expiresAt" is null or g."expiresAt" > now()))`,
  activeWarningCount: openOfOwner,
  engineerIds: sql`(select coalesce(jsonb_agg(distinct r."userId"), '[]') from "service_engineer" r
    join "ess" e on e."id" = r."essId" where e."ownerId" = "t"."id" and r."state" = 'ACTIVE'
    and (r."expiresAt" is null or r."expiresAt" > now()))`,
}

const maskedEmail = (email: string) => email.replace(/^(.).*(?=@)/, '$1***')

/** Service engineers reach the clients whose systems they look after; of others they see who there is, not how to reach them. */
function present(record: Row, { role, userId }: Caller): Row {
  if (role !== 'service_engineer' || record.id === userId) return record
  const assigned = Array.isArray(record.engineerIds) && record.engineerIds.includes(userId)
  if (assigned) return record
  return {
    ...record,
    ...(typeof record.email === 'string' ? { email: maskedEmail(record.email) } : {}),
    ...('phone' in record ? { phone: null } : {}),
    ...('address' in record ? { address: null } : {}),
  }
}

/** What clients do beyond users. */
export const clientRules: ResourceRules = { derived, present }
