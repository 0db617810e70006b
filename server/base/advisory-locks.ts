import { type QueryExecutorProvider, sql } from 'kysely'

/** Advisory locks of the database by what they serialise. Processes of two versions share them: a released number never changes. */
export const locks = {
  migrations: 727_001,
  definitions: 727_002,
  firmwareUploads: 727_003,
  move: 727_004,
  thresholds: 727_009,
  chemistries: 727_010,
  lastAdmin: 727_101,
  housekeeping: 727_102,
  demo: 727_103,
  imports: 727_104,
} as const
type Lock = keyof typeof locks

/** Waits for a lock and holds it until the end of the transaction. */
export const takeLock = (db: QueryExecutorProvider, lock: Lock): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(${sql.lit(locks[lock])})`.execute(db)

/** Takes a lock that is free, until the end of the transaction; false for one that is held. */
export const tryLock = async (db: QueryExecutorProvider, lock: Lock): Promise<boolean> => {
  const { rows } = await sql<{ got: boolean }>`select pg_try_advisory_xact_lock(${sql.lit(locks[lock])}) as "got"`.execute(db)
  return rows[0]?.got === true
}

/** Seeds of the locks that are many: one for each thing, or for each tree. */
const seeds = { thing: 7, tree: 0 } as const

/** Waits for the lock of one of many things, by its name, and holds it until the end of the transaction. */
export const takeLockOf = (db: QueryExecutorProvider, kind: keyof typeof seeds, name: string): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtextextended(${name}, ${sql.lit(seeds[kind])}))`.execute(db)
