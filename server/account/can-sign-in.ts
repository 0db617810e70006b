import { type RawBuilder, sql } from 'kysely'

/** True in SQL for a user whose account is completed: by a password, or by a first sign-in through the provider. */
export const canSignIn = (userId: RawBuilder<unknown>) =>
  sql<boolean>`(exists (select from "credential" "c" where "c"."userId" = ${userId})
    or exists (select from "oidcSubject" "o" where "o"."userId" = ${userId}))`
