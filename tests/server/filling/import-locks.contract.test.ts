import { afterAll, beforeAll, expect, it } from 'vitest'
import { postgres } from '#tests/support/databases.ts'
import { codes, file, type Importer, openImporter, row } from '#tests/support/import-file.ts'
import { postgresUrl } from '#tests/support/postgres.ts'

// The embedded engine has one session: nothing there waits for a lock.
const onServer = it.runIf(postgresUrl())

let files: Importer | undefined
beforeAll(async () => {
  if (postgresUrl()) files = await openImporter(postgres)
}, 120_000)
afterAll(() => files?.server.close())

onServer('a file of pairings that waits for a system holds nothing that whoever has the system needs next', async () => {
  if (!files) return
  const { server } = files
  const systems = codes('HLD', 2)
  await files.send('ess', file(...systems.map((code) => row(code))))
  await files.send('control-pcb', 'code,uid,hardwareRevision\nPCB-DD0001,0000DD000001,B1\nPCB-DD0002,0000DD000002,B1')
  const other = await server.database.pool.connect()
  const waiting = `select 1 from pg_stat_activity where "datname" = current_database() and "wait_event_type" = 'Lock'`
  const hold = (table: string, codesOfRows: string) =>
    other.query(`select from "${table}" where "code" ${codesOfRows} for no key update nowait`)
  await other.query('begin')
  await hold('ess', `= 'HLD-00001'`)
  const sending = files.send('pairing', 'controlPcb,ess\nPCB-DD0002,HLD-00002\nPCB-DD0001,HLD-00001')
  try {
    await expect.poll(async () => (await server.rows(waiting)).length, { timeout: 5_000 }).toBe(1)
    await hold('control_pcb', `like 'PCB-DD%'`)
    await hold('ess', `like 'HLD-%'`)
  } finally {
    await other.query('rollback')
    other.release()
    await sending
  }
  expect((await sending).report).toMatchObject({ created: 2, failed: 0 })
})
