import { sql } from 'kysely'
import type { Fields } from '#schema/field-types.ts'
import { dayMs, minuteMs } from '#schema/format/durations.ts'
import { takeLock } from '#server/base/advisory-locks.ts'
import type { Database } from '#server/db/connect.ts'
import { insertRows } from '#server/db/insert-rows.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { demoDeviceKey, hashOfKey } from '#server/fleet/board/device-key.ts'
import { type DemoBoards, demoBoards } from './boards.ts'
import { type KnownRecords, refuseTakenCodes, reuseKnown, tagDemo } from './existing-demo.ts'
import { demoFirmware } from './firmware.ts'
import { type DemoPeople, demoAccounts, demoPeople } from './people.ts'
import { Random } from './random.ts'
import { demoModels, demoRelations, demoSites } from './sites.ts'

export type SeedOptions = {
  seed: number
  essCount: number
  now: Date
  passwordHash: string
  lockedHash: string
  configurationFields: Fields
}

const stamped = (rows: readonly Row[]) => rows.map((row) => ({ version: 1, ...row }))

type Seeding = SeedOptions & { known: KnownRecords }

async function insertPeople(db: Queryable, { users }: DemoPeople, options: Seeding): Promise<void> {
  const named = new Set(demoAccounts.map(({ email }) => email))
  const isNew = ({ id }: Row) => !options.known.users.has(String(id))
  await insertRows(db, 'user', stamped(users.filter(isNew)))
  // Nobody knows the password of the others: they are active accounts, but no way in. One in fifteen has not answered yet.
  const answered = users.filter((user, index) => named.has(String(user.email)) || index % 15 !== 14).filter(isNew)
  const hashOf = (user: Row) => (named.has(String(user.email)) ? options.passwordHash : options.lockedHash)
  await insertRows(
    db,
    'credential',
    answered.map((user) => ({ userId: user.id, passwordHash: hashOf(user), changedAt: options.now })),
  )
  const accounts = users.filter((user) => isNew(user) && named.has(String(user.email)))
  await insertRows(
    db,
    'demoAccount',
    accounts.map(({ id }) => ({ userId: id })),
  )
}

async function insertBoards(db: Queryable, made: DemoBoards, { seed, now }: SeedOptions): Promise<void> {
  await insertRows(db, 'control_pcb', stamped(made.boards))
  await insertRows(db, 'boardState', made.states)
  await insertRows(db, 'configuration', made.configurations)
  await insertRows(db, 'control_pcb_attachment', stamped(made.attachments))
  await insertRows(
    db,
    'deviceKey',
    made.boards.map(({ id, uid }) => ({
      controlPcbId: id,
      hash: hashOfKey(demoDeviceKey(seed, String(uid))),
      isDemo: true,
      createdAt: now,
    })),
  )
}

/** Open and expired invitations of accounts that have not accepted yet. */
function invitations(random: Random, { users }: DemoPeople, { now, known }: Seeding): Row[] {
  const isOpen = (user: Row, index: number) => index >= demoAccounts.length && index % 15 === 14 && !user.deletedAt
  const open = users.filter((user, index) => isOpen(user, index) && !known.users.has(String(user.id)))
  return open.map((user, index) => {
    const ageDays = index % 3 === 0 ? random.int(8, 30) : random.int(0, 6)
    const sentAt = new Date(now.getTime() - ageDays * dayMs - random.int(1, 80) * minuteMs)
    const base = { id: random.id(sentAt), createdAt: sentAt, updatedAt: sentAt, createdBy: users[0]?.id, version: 1 }
    return {
      ...base,
      kind: 'ACCOUNT',
      email: user.email,
      userId: user.id,
      role: user.role,
      state: ageDays > 7 ? 'EXPIRED' : 'PENDING',
      delivery: 'SENT',
      sentAt,
      sentCount: 1,
      expiresAt: new Date(sentAt.getTime() + 7 * dayMs),
      invitedBy: users[0]?.id,
    }
  })
}

/** Boards that are not registered yet. */
async function newModels(db: Queryable, made: readonly Row[]): Promise<Row[]> {
  const known = await rowsOf(db, sql<{ name: string }>`select concat("manufacturer", ' ', "model") as "name" from "ess_model"`)
  const names = new Set(known.map(({ name }) => name))
  return made.filter(({ manufacturer, model }) => !names.has(`${manufacturer} ${model}`))
}

type Seeded = { ess: number; boards: number; clients: number; firmware: number }

/**
 * Adds a fleet: the same seed gives the same people, sites, boards and firmware. Existing accounts and versions are reused;
 * everything created is tagged for removal. Throws 409 when codes are taken by other records.
 */
export async function seedFleet(db: Queryable, asked: SeedOptions): Promise<Seeded> {
  const { seed, essCount, now, configurationFields } = asked
  const random = new Random(seed)
  const people = demoPeople(random, now)
  const known = await reuseKnown(db, people)
  const options = { ...asked, known }
  const sites = demoSites(random, now, people, essCount)
  const boards = demoBoards(random, now, sites, Math.round(essCount * 1.3), configurationFields)
  await refuseTakenCodes(db, [...sites, ...boards.boards])
  const relations = demoRelations(random, now, people, sites)
  const firmware = demoFirmware(random, now, people.users[0]?.id)
  const records = firmware.records.filter(({ firmwareVersion }) => !known.versions.has(String(firmwareVersion)))
  const ids = new Set(records.map(({ id }) => id))
  await insertPeople(db, people, options)
  const models = await newModels(db, demoModels(new Random(seed), now))
  await insertRows(db, 'ess_model', stamped(models))
  await insertRows(db, 'ess', stamped(sites))
  await sql`update "ess" set "essModelId" = "m"."id" from "ess_model" "m" where "m"."manufacturer" = "ess"."manufacturer"
    and "m"."model" = "ess"."model" and "ess"."id" = any(${sql.val(sites.map(({ id }) => id))}::text[])`.execute(db)
  await insertBoards(db, boards, options)
  await insertRows(db, 'guest', stamped(relations.guests))
  await insertRows(db, 'service_engineer', stamped(relations.engineers))
  await insertRows(db, 'invitation', invitations(random, people, options))
  await insertRows(db, 'firmware', stamped(records))
  for (const { firmwareId, content } of firmware.files.filter((file) => ids.has(file.firmwareId)))
    await sql`insert into "firmwareFile" ("firmwareId", "content") values (${firmwareId}, ${content})`.execute(db)
  await tagDemo(db, { users: people.users, known, sites, boards: boards.boards, firmware: records, models })
  const clients = people.users.filter(({ role }) => role === 'client').length
  return { ess: sites.length, boards: boards.boards.length, clients, firmware: records.length }
}

/** Updates planner statistics after the bulk insert. */
export async function analyzeFleet(db: Queryable): Promise<void> {
  for (const table of ['user', 'ess', 'control_pcb', 'boardState', 'configuration'])
    await sql`analyze ${sql.table(table)}`.execute(db)
}

/** Waits for other processes that start at the same time: one of them fills the database. */
async function isEmptyAlone(db: Queryable): Promise<boolean> {
  await sql`set local lock_timeout = 0`.execute(db)
  await sql`set local statement_timeout = 0`.execute(db)
  await takeLock(db, 'demo')
  return (await rowOf(db, sql`select 1 from "user" limit 1`)) === undefined
}

/** Fills an empty database with a fleet. Undefined where it is not empty. */
export async function seedDemo(database: Database, options: SeedOptions): Promise<Seeded | undefined> {
  const seeded = await inTransaction(database, async (db) => ((await isEmptyAlone(db)) ? seedFleet(db, options) : undefined))
  if (seeded) await analyzeFleet(database.kysely)
  return seeded
}
