import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines, oneEngine } from '#tests/support/databases.ts'
import { type Importer, openImporter } from '#tests/support/import-file.ts'
import { damagedWhere, withTrigger } from '#tests/support/with-trigger.ts'

const file = (...uids: string[]) =>
  ['code,uid,hardwareRevision', ...uids.map((uid) => `PCB-${uid.slice(2)},${uid},B1`)].join('\r\n')

describe.each(oneEngine(import.meta.filename))('device keys of boards that are brought in on $name', (engine) => {
  let files: Importer
  beforeAll(async () => {
    files = await openImporter(engine)
  }, 120_000)
  afterAll(() => files?.server.close())

  const look = async (key: string) =>
    (await files.server.app.inject({ url: '/api/device/v1/state', headers: { 'x-device-key': key } })).statusCode
  const keysOf = (uid: string) =>
    files.count('deviceKey', `"controlPcbId" in (select "id" from "control_pcb" where "uid" = '${uid}')`)

  it('are made when they are asked for, work, and are in this answer and nowhere else', async () => {
    const uids = ['00AB00000001', '00AB00000002', '00AB00000003']
    const dry = await files.send('control-pcb?keys=true&dryRun=true', file(...uids))
    expect(dry.report).toMatchObject({ created: 3, dryRun: true })
    expect(dry.report.keys).toBeUndefined()
    const { status, report } = await files.send('control-pcb?keys=true&fileName=boards.csv', file(...uids))
    expect([status, report.created]).toEqual([200, 3])
    expect(report.keys).toEqual(
      uids.map((uid) => ({ code: `PCB-${uid.slice(2)}`, uid, deviceKey: expect.stringMatching(/^[A-Za-z0-9][\w-]{42}$/) })),
    )
    const keys = report.keys?.map(({ deviceKey }) => deviceKey) ?? []
    expect(new Set(keys).size).toBe(3)
    expect(await Promise.all(keys.map(look))).toEqual([200, 200, 200])
    for (const table of ['auditLog', 'idempotency', 'deviceKey', 'importJob', 'importJobRow'])
      for (const key of keys) expect(JSON.stringify(await files.server.rows(`select * from "${table}"`))).not.toContain(key)
    expect(await files.count('auditLog', `"action" = 'device-key'`)).toBe(3)
    const again = await files.send('control-pcb?keys=true', file(...uids))
    expect(again.report).toMatchObject({ created: 0, skipped: 3, keys: [] })
    expect(await Promise.all(keys.map(look))).toEqual([200, 200, 200])
  })

  it('are not made unasked, and go with the boards when the import is taken back', async () => {
    await files.send('control-pcb', file('00AB00000011'))
    expect(await keysOf('00AB00000011')).toBe(0)
    const { report } = await files.send('control-pcb?keys=true', file('00AB00000012'))
    expect(await keysOf('00AB00000012')).toBe(1)
    const before = await files.count('deviceKey')
    await files.server.call('POST', `import-job/${report.jobId}/undo`, { token: files.token })
    expect(await files.count('deviceKey')).toBe(before - 1)
    expect(await look(String(report.keys?.[0]?.deviceKey))).toBe(403)
  })

  const uidsOf = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => `00${prefix}${String(index).padStart(8, '0')}`)
  const states = () => files.server.rows('select "state", "created"::int from "importJob" order by "at" desc, "id" desc')

  it('are not made by an import that is cut off, and are in the answer to the same file once it is sent again', async () => {
    const uids = uidsOf('AC', 250)
    const damaged = { table: 'control_pcb', at: 'before insert', act: damagedWhere(`new."uid" = '${uids[220]}'`) }
    const cut = await withTrigger(files.server, damaged, () => files.send('control-pcb?keys=true', file(...uids)))
    expect(cut.status).toBe(500)
    expect((await states())[0]).toEqual({ state: 'INTERRUPTED', created: 200 })
    const made = `"controlPcbId" in (select "id" from "control_pcb" where "uid" like '00AC%')`
    expect(await files.count('deviceKey', made)).toBe(0)
    const dry = await files.send('control-pcb?keys=true&dryRun=true', file(...uids))
    expect(dry.report).toMatchObject({ created: 50, skipped: 200, newKeys: 250 })
    const { status, report } = await files.send('control-pcb?keys=true', file(...uids))
    expect([status, report.created, report.skipped]).toEqual([200, 50, 200])
    expect(report.keys?.map(({ uid }) => uid)).toEqual(uids)
    const [first, last] = [report.keys?.[0], report.keys?.at(-1)]
    expect([await look(String(first?.deviceKey)), await look(String(last?.deviceKey))]).toEqual([200, 200])
    expect(
      await files.count(
        'auditLog',
        `"action" = 'device-key' and "code" in (select "code" from "control_pcb" where "uid" like '00AC%')`,
      ),
    ).toBe(250)
    const after = await files.send('control-pcb?keys=true&dryRun=true', file(...uids))
    expect(after.report).toMatchObject({ created: 0, skipped: 250, newKeys: 0 })
  }, 60_000)

  it('are made for boards of the file that had none, and not for retired ones', async () => {
    await files.send('control-pcb', file('00AD00000001', '00AD00000002'))
    await files.server.rows(`update "control_pcb" set "lifecycle" = 'RETIRED' where "uid" = '00AD00000002'`)
    const { report } = await files.send(
      'control-pcb?keys=true&update=true',
      file('00AD00000001', '00AD00000002', '00AD00000003'),
    )
    expect(report.keys?.map(({ uid }) => uid)).toEqual(['00AD00000001', '00AD00000003'])
    expect(await keysOf('00AD00000002')).toBe(0)
  })

  it('come although a batch was in a deadlock with others: it is written once more', async () => {
    await files.server.rows('create sequence "turn"')
    const act = `if nextval('"turn"') = 1 then raise exception 'deadlock detected' using errcode = '40P01'; end if;`
    const deadlock = { table: 'control_pcb', at: 'before insert', each: 'statement', act } as const
    const { status, report } = await withTrigger(files.server, deadlock, () =>
      files.send('control-pcb?keys=true', file(...uidsOf('AE', 150))),
    )
    expect([status, report.created, report.keys?.length]).toEqual([200, 150, 150])
  })

  it('are of boards only', async () => {
    expect((await files.send('ess?keys=true', 'code')).status).toBe(400)
  })
})

// The embedded engine has one session: nothing there waits for a lock.
describe.each(engines.filter(({ name }) => name === 'PostgreSQL'))(
  'device keys for a caller who has left on $name',
  (engine) => {
    let files: Importer
    beforeAll(async () => {
      files = await openImporter(engine)
      await files.server.app.listen({ host: '127.0.0.1', port: 0 })
    }, 120_000)
    afterAll(() => files?.server.close())

    it('are not made, since nobody would read them, and are in the answer to the same file once it is sent again', async () => {
      const text = file('00AF00000001', '00AF00000002')
      const held = await files.server.database.pool.connect()
      await held.query('begin')
      await held.query('lock table "importJobRow" in exclusive mode')
      const closed = new Promise<void>((resolve) => {
        files.server.app.server.once('connection', (socket) => socket.once('close', () => resolve()))
      })
      const leaving = new AbortController()
      const { port } = files.server.app.server.address() as AddressInfo
      const sending = fetch(`http://127.0.0.1:${port}/api/import/control-pcb?keys=true`, {
        method: 'POST',
        headers: { authorization: `Bearer ${files.token}`, 'content-type': 'text/csv' },
        body: text,
        signal: leaving.signal,
      }).catch(() => 'left')
      const waiting = `select 1 from pg_stat_activity where "datname" = current_database() and "wait_event_type" = 'Lock'`
      await expect.poll(() => files.server.rows(waiting)).toHaveLength(1)
      leaving.abort()
      expect(await sending).toBe('left')
      await closed
      await held.query('commit')
      held.release()
      await expect
        .poll(() => files.server.rows('select "state", "created"::int from "importJob"'))
        .toEqual([{ state: 'DONE', created: 2 }])
      expect(
        await files.count('deviceKey', `"controlPcbId" in (select "id" from "control_pcb" where "uid" like '00AF%')`),
      ).toBe(0)
      const { report } = await files.send('control-pcb?keys=true', text)
      expect([report.created, report.keys?.length]).toEqual([0, 2])
    }, 60_000)
  },
)
