import { afterAll, beforeAll, expect, it } from 'vitest'
import { postgres } from '#tests/support/databases.ts'
import { openPeopleServer, type PeopleServer } from '#tests/support/people-server.ts'
import { postgresUrl } from '#tests/support/postgres.ts'

// The embedded engine has one session: nothing there waits for a lock.
const onServer = it.runIf(postgresUrl())

let server: PeopleServer | undefined
beforeAll(async () => {
  if (postgresUrl()) server = await openPeopleServer(postgres)
})
afterAll(() => server?.close())

onServer('a guard judges by what was committed while the change waited for its row', async () => {
  if (!server) return
  const { token } = await server.signedIn({ email: 'admin@example.com', role: 'admin' })
  const client = await server.addUser({ email: 'client@example.com', role: 'client' })
  const other = await server.database.pool.connect()
  await other.query('begin')
  await other.query('select from "user" where "id" = $1 for update', [client])
  const changing = server.call('PUT', `user/${client}`, { token, body: { version: 1, role: 'installer' } })
  const waiting = `select count(*) as "n" from pg_stat_activity where "datname" = current_database() and "wait_event_type" = 'Lock'`
  await expect.poll(async () => (await server?.rows<{ n: number }>(waiting))?.[0]?.n).toBe(1)
  await other.query(
    `insert into "ess" ("id", "code", "name", "ownerId", "lifecycle") values ('a', 'ESS-1', 'House', $1, 'PLANNED')`,
    [client],
  )
  await other.query('commit')
  other.release()
  const { status, body } = await changing
  expect([status, body.code]).not.toEqual([200, undefined])
  expect(status).toBe(409)
  expect(await server.rows(`select "role" from "user" where "id" = '${client}'`)).toEqual([{ role: 'client' }])
})
