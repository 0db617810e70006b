import { type RawBuilder, sql } from 'kysely'

/** SQL condition: the user's account is complete, by a password or a first sign-in through the provider. */
export const canSignIn = (userId: RawBuilder<unknown>) =>
  sql<boolean>`(exists (select from "credential" "c" where "c"."userId" = ${userId})
    or exists (select from "oidcSubject" "o" where "o"."userId" = ${userId}))`
