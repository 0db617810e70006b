import { sql } from 'kysely'

/** Settings of the fleet by key; one that was brought back to its standard has none. */
export const limitsInForce = sql`(select json_object_agg("key", json_build_object('delayS', "delayS", 'levels', "levels"))
  from "warningThreshold" where "levels" is not null)`
