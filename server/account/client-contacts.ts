import { sql } from 'kysely'
import { staff } from '#schema/roles.ts'
import { type Caller, maskedAddress } from '#server/base/caller.ts'
import type { Masks, Row } from '#server/engine/records/resource-rules.ts'

const assignment = sql`from "service_engineer" r join "ess" e on e."id" = r."essId" where e."ownerId" = "t"."id"
  and r."state" = 'ACTIVE' and (r."expiresAt" is null or r."expiresAt" > now())`

/** Engineers assigned to a system of the client "t". */
export const engineersOfClient = sql`(select coalesce(jsonb_agg(distinct r."userId"), '[]') ${assignment})`

/** The first letter and the host of the e-mail of the user "t". */
export const maskedEmail = sql`(left("t"."email", 1) || '***' || substring("t"."email" from '@[^@]*$'))`

/** Full name of the user "t", or the e-mail if there is none. */
export const personName = (email = sql`"t"."email"`) =>
  sql`coalesce(nullif(concat_ws(' ', nullif("t"."firstName", ''), nullif("t"."lastName", '')), ''), ${email})`

/** The user "t" has a rank that a moderator does not manage, and is not the caller. */
const isAbove = (userId: string) => sql`"t"."role" in (${sql.join(staff.map((one) => sql.lit(one)))}) and "t"."id" <> ${userId}`

/**
 * Column masks: a service engineer sees contact data only of clients with a system assigned to the engineer, and names of all
 * others, colleagues and admins among them; a moderator sees names alone of admins and other moderators. Where a person has no
 * name, what stands for it tells no more of the address. Applies to every column, filter, order and search, and to people
 * embedded in other records.
 */
export function contactMasks({ role, userId }: Caller): Masks | undefined {
  if (role === 'moderator') return { when: isAbove(userId), values: { name: personName(maskedEmail) } }
  if (role !== 'service_engineer') return undefined
  return {
    when: sql`case "t"."role" when 'client' then not exists (select 1 ${assignment} and r."userId" = ${userId})
      else "t"."id" <> ${userId} end`,
    values: { email: maskedEmail, name: personName(maskedEmail), phone: sql`null`, address: sql`null` },
  }
}

/** The same masks for a record that was read in full. */
export function withoutContacts(record: Row, { role, userId }: Caller): Row {
  if (role !== 'service_engineer' || record.id === userId) return record
  const assigned = Array.isArray(record.engineerIds) && record.engineerIds.includes(userId)
  if (assigned) return record
  const hidden = (text: unknown) => (typeof text === 'string' ? maskedAddress(text) : text)
  return {
    ...record,
    ...('email' in record ? { email: hidden(record.email) } : {}),
    ...('name' in record ? { name: hidden(record.name) } : {}),
    ...('phone' in record ? { phone: null } : {}),
    ...('address' in record ? { address: null } : {}),
  }
}
