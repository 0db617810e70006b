import { type RawBuilder, sql } from 'kysely'
import { canSignIn } from './can-sign-in.ts'

/** Id of the newest open invitation "i" that matches; null when there is none. */
const newest = (condition: RawBuilder<unknown>) =>
  sql`(select "i"."id" from "invitation" "i" where "i"."userId" = ${condition} and "i"."state" in ('PENDING', 'EXPIRED')
    order by "i"."createdAt" desc, "i"."id" desc limit 1)`

/** The mail of an incomplete account, whatever its invitation is for. */
export const invitationOfUser = sql`case when "t"."deletedAt" is null and "t"."lockedAt" is null
  and not ${canSignIn(sql`"t"."id"`)}
  then ${newest(sql`"t"."id" and "i"."kind" <> 'EMAIL_CHANGE'`)} end`

/** The mail of an open invitation to an ESS. */
export const invitationTo = (kind: 'GUEST' | 'SERVICE_ENGINEER') => sql`case when "t"."state" = 'INVITED'
  then ${newest(sql`"t"."userId" and "i"."essId" = "t"."essId" and "i"."kind" = ${sql.lit(kind)}`)} end`
