import { sql } from 'kysely'
import type { Config } from '#server/base/config.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'

export type FleetPlan = {
  seed: number
  /** Whole days of history, besides today. */
  days: number
  /** Faults occur at random. */
  faults: boolean
  /** True of the fleet that a first start makes on an empty database. */
  isFirst: boolean
}

/** Of the fleet that a first start makes; one day is written quickly. */
const firstPlan = { days: 1, faults: true, isFirst: true }

/** Parameters of the fleet that an admin created; there is at most one. */
export const demoFleetTable = `
create table "demoFleet" (
  "id" boolean primary key default true check ("id"),
  "seed" int4 not null,
  "days" int4 not null,
  "faults" boolean not null
);
`

export const planOf = async (db: Queryable, { demoSeed }: Pick<Config, 'demoSeed'>): Promise<FleetPlan> =>
  (await rowOf(db, sql<FleetPlan>`select "seed", "days", "faults", false as "isFirst" from "demoFleet"`)) ?? {
    ...firstPlan,
    seed: demoSeed,
  }

/** Stores the parameters for the simulator. */
export async function keepPlan(db: Queryable, { seed, days, faults }: Omit<FleetPlan, 'isFirst'>): Promise<void> {
  await rowsOf(
    db,
    sql`insert into "demoFleet" ("seed", "days", "faults") values (${seed}, ${days}, ${faults})
      on conflict ("id") do update set "seed" = excluded."seed", "days" = excluded."days", "faults" = excluded."faults"`,
  )
}

export const forgetPlan = (db: Queryable) => sql`delete from "demoFleet"`.execute(db)
