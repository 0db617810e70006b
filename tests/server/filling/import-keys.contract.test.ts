import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oneEngine } from '#tests/support/databases.ts'
import { type Importer, openImporter } from '#tests/support/import-file.ts'

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

  it('are of boards only', async () => {
    expect((await files.send('ess?keys=true', 'code')).status).toBe(400)
  })
})
