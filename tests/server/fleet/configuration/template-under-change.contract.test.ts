import { afterAll, beforeAll, expect, it } from 'vitest'
import { postgres } from '#tests/support/databases.ts'
import { Maker } from '#tests/support/fleet-callers.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'
import { postgresUrl } from '#tests/support/postgres.ts'

// The embedded engine has one session: nothing there waits for a lock.
const onServer = it.runIf(postgresUrl())

let server: FleetServer | undefined
beforeAll(async () => {
  if (postgresUrl()) server = await FleetServer.open(postgres, { DEMO_SIZE: '5' })
}, 120_000)
afterAll(() => server?.close())

onServer(
  'a template that is being changed is judged as it is afterwards, and is not applied when that is refused',
  async () => {
    if (!server) return
    const maker = new Maker(server, await server.as('admin'))
    const [ess, board] = [await maker.ess({ cellsInSeries: 16 }), await maker.board()]
    await maker.admin.post(`ess/${ess.id}/attach-control-pcb`, { controlPcbId: board.id, role: 'MAIN' })
    const settings = { reportIntervalS: 120 }
    const template = await maker.made('configuration-template', { code: 'CHANGING-1', name: 'Changing', settings })
    const other = await server.database.pool.connect()
    await other.query('begin')
    await other.query(`update "configuration_template" set "settings" = '{"socMinPct": 400}' where "id" = $1`, [template.id])
    const applying = maker.admin.put(`control-pcb/${board.id}/apply-template`, { templateId: template.id })
    const waiting = `select 1 from pg_stat_activity where "datname" = current_database() and "wait_event_type" = 'Lock'`
    try {
      await expect.poll(async () => (await server?.rows(waiting))?.length, { timeout: 5_000 }).toBe(1)
    } finally {
      await other.query('commit')
      other.release()
    }
    expect(await applying).toMatchObject({ status: 400, body: { code: 'invalid' } })
    expect((await maker.admin.get(`control-pcb/${board.id}/configuration`)).body).toMatchObject({ desiredVersion: 1 })
  },
)
