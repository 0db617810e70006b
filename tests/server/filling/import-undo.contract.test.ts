import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oneEngine } from '#tests/support/databases.ts'
import { codes, csvHead, file, type Importer, openImporter, row } from '#tests/support/import-file.ts'

describe.each(oneEngine(import.meta.filename))('what a file may look like, and how it is taken back, on $name', (engine) => {
  let files: Importer
  beforeAll(async () => {
    files = await openImporter(engine)
  }, 120_000)
  afterAll(() => files?.server.close())

  it('reads what spreadsheets write: semicolons, decimal commas, words in Russian, a byte order mark', async () => {
    const text = `\uFEFFКод;Название;Профиль;Химия;Ёмкость, Вт·ч;Мощность заряда, Вт;Мощность разряда, Вт;Расположение / Часовой пояс;Широта\r\nRUS-00002;Дом;Коммерческий;LFP;12 000;5000;5000;Europe/Moscow;55,75\r\n`
    const asked = await files.send('ess?dryRun=true', text)
    expect(asked.report.faults).toEqual([])
    const mapped = await files.send(
      'ess?map=code,name,profile,chemistry,ratedEnergyWh,ratedChargePowerW,ratedDischargePowerW,location.timezone,location.lat',
      text,
    )
    expect(mapped.report).toMatchObject({ created: 1 })
    const [ess] = await files.server.rows<{ profile: string; ratedEnergyWh: number; location: { lat: number } }>(
      `select * from "ess" where "code" = 'RUS-00002'`,
    )
    expect(ess).toMatchObject({ name: 'Дом', profile: 'COMMERCIAL', ratedEnergyWh: 12_000, location: { lat: 55.75 } })
  })

  it('leaves out the columns that are not mapped', async () => {
    const text = `${csvHead},remark\r\n${row('MAP-00001')},whatever`
    const strange = await files.send('ess?dryRun=true', text)
    expect(strange).toMatchObject({ status: 400, body: { message: [expect.stringContaining('“remark”')] } })
    expect((await files.send(`ess?map=${encodeURIComponent(`${csvHead},`)}`, text)).report).toMatchObject({ created: 1 })
    expect((await files.send('ess?map=code,code', text)).status).toBe(400)
    expect((await files.send('ess?map=id,version', text)).status).toBe(400)
    expect((await files.send('ess?map=__proto__', text)).status).toBe(400)
  })

  it('takes a formula for the text that it is, there and back again', async () => {
    const name = '=HYPERLINK("http://evil.example")'
    await files.send('ess', file(row('FRM-00001', { name: `"${name.replaceAll('"', '""')}"` })))
    const [ess] = await files.server.rows<{ name: string }>(`select "name" from "ess" where "code" = 'FRM-00001'`)
    expect(ess?.name).toBe(name)
    const exported = await files.server.call('GET', 'export/ess?code=FRM-00001&columns=code,name', { token: files.token })
    expect(exported.text).toContain(`"'=HYPERLINK`)
    const back = await files.send('ess?update=true', exported.text)
    expect(back.report).toMatchObject({ updated: 0, skipped: 1, failed: 0 })
    const phones = await files.send('client', "email,firstName,lastName,phone\nphone@test.example,Phil,Phone,'+4915112345678")
    expect(phones.report).toMatchObject({ created: 1 })
  })

  it('refuses what is no table', async () => {
    const reasons: [string | Buffer, number, string, RegExp][] = [
      ['', 400, 'csv.empty', /empty/],
      ['\n\n', 400, 'csv.empty', /empty/],
      ['code,name\n"open', 400, 'csv.open-quote', /line 2 is never closed/],
      ['code,name\n"a"b,c', 400, 'csv.text-after-quote', /after a closing quote/],
      [Buffer.from([0x63, 0xcf, 0xee, 0xf7]), 400, 'csv.encoding', /UTF-8/],
      [`code\n${'X\n'.repeat(20_001)}`, 400, 'csv.too-large', /20000 rows/],
      ['a'.repeat(5 * 1024 * 1024 + 1), 413, 'too-large', /too large/],
    ]
    for (const [text, status, code, words] of reasons) {
      const answer = await files.send('ess?dryRun=true', text)
      expect(answer).toMatchObject({ status, body: { code } })
      expect(String(answer.body.message)).toMatch(words)
    }
    expect((await files.server.call('POST', 'import/ess', { token: files.token, body: { code: 'x' } })).status).toBe(415)
    expect((await files.send('ess?strange=1', file(row('X-00001')))).status).toBe(400)
    expect((await files.send('firmware', 'a,b')).status).toBe(404)
    const ragged = await files.send('ess?dryRun=true', file(`${row('RAG-00001')},more`))
    expect(ragged.report.faults[0]).toMatchObject({ row: 2, column: null })
  })

  it('attaches boards to systems by their codes, each pair once', async () => {
    await files.send('control-pcb', 'code,uid,hardwareRevision\nPCB-CC0001,0000CC000001,B1\nPCB-CC0002,0000CC000002,B1')
    await files.send('ess', file(row('PAI-00001')))
    const pairs = 'controlPcb,ess,role\nPCB-CC0001,PAI-00001,Main\nPCB-CC0002,PAI-00001,MAIN\nPCB-CC0009,PAI-00001,MODULE'
    const dry = await files.send('pairing?dryRun=true', pairs)
    expect(dry.report).toMatchObject({ created: 1, failed: 2 })
    expect(dry.report.faults).toMatchObject([
      { row: 3, column: null, message: expect.stringContaining('already has a main board') },
      { row: 4, column: 'controlPcb', value: 'PCB-CC0009' },
    ])
    expect(await files.count('control_pcb', `"essId" is not null and "code" like 'PCB-CC%'`)).toBe(0)
    const { report } = await files.send(
      'pairing',
      'controlPcb,ess,role\nPCB-CC0001,PAI-00001,MAIN\nPCB-CC0002,PAI-00001,MODULE',
    )
    expect(report).toMatchObject({ created: 2 })
    expect((await files.send('pairing', pairs)).status).toBe(400)
    expect((await files.send('pairing', 'controlPcb,ess\nPCB-CC0001,PAI-00001')).report).toMatchObject({
      created: 0,
      skipped: 1,
    })
    await files.server.call(
      'PUT',
      `control-pcb/${(await files.server.rows<{ id: string }>(`select "id" from "control_pcb" where "code" = 'PCB-CC0002'`))[0]?.id}`,
      {
        token: files.token,
        body: { version: 2, notes: 'touched' },
      },
    )
    const undone = await files.server.call('POST', `import-job/${report.jobId}/undo`, { token: files.token })
    expect(undone.body).toMatchObject({ removed: 1, kept: [{ code: 'PCB-CC0002', reason: 'it was changed since' }] })
    expect(await files.count('control_pcb', `"essId" is not null and "code" like 'PCB-CC%'`)).toBe(1)
  })

  it('of pairings gives each board back its former lifecycle, and an earlier file is undone after it', async () => {
    await files.send('control-pcb', 'code,uid,hardwareRevision\nPCB-CE0001,0000CE000001,B1\nPCB-CE0002,0000CE000002,B1')
    const { report: noted } = await files.send('control-pcb?update=true', 'code,notes\nPCB-CE0001,by file\nPCB-CE0002,by file')
    expect(noted).toMatchObject({ updated: 2 })
    await files.server.rows(`update "control_pcb" set "lifecycle" = 'ACTIVE' where "code" = 'PCB-CE0002'`)
    await files.send('ess', file(row('PAI-00003')))
    const { report } = await files.send(
      'pairing',
      'controlPcb,ess,role\nPCB-CE0001,PAI-00003,MAIN\nPCB-CE0002,PAI-00003,MODULE',
    )
    expect(report).toMatchObject({ created: 2, updated: 0 })
    const boards = () =>
      files.server.rows<{
        id: string
      }>(`select "id", "code", "lifecycle", "essId" is not null as "attached", "version" from "control_pcb"
        where "code" like 'PCB-CE%' order by "code"`)
    const [first] = await boards()
    expect(await boards()).toMatchObject([
      { lifecycle: 'ACTIVE', attached: true },
      { lifecycle: 'ACTIVE', attached: true },
    ])
    const undone = await files.server.call('POST', `import-job/${report.jobId}/undo`, { token: files.token })
    expect(undone.body).toMatchObject({ removed: 2, restored: 0, kept: [] })
    expect(await boards()).toMatchObject([
      { lifecycle: 'REGISTERED', attached: false },
      { lifecycle: 'ACTIVE', attached: false },
    ])
    const [told] = await files.server.rows(`select "version" from "event" where "resource" = 'control-pcb'
      and "entityId" = '${first?.id}' order by "id" desc limit 1`)
    expect(await boards()).toMatchObject([told, {}])
    expect((await files.audits(`"entityId" = '${first?.id}'`)).at(-1)).toMatchObject({
      action: 'update',
      before: { lifecycle: 'ACTIVE' },
      after: { lifecycle: 'REGISTERED' },
    })
    const earlier = await files.server.call('POST', `import-job/${noted.jobId}/undo`, { token: files.token })
    expect(earlier.body).toMatchObject({ restored: 2, kept: [] })
  })

  it('attaches no board to a system that is decommissioned', async () => {
    await files.send('control-pcb', 'code,uid,hardwareRevision\nPCB-CD0001,0000CD000001,B1')
    await files.send('ess', file(row('PAI-00002')))
    await files.server.rows(`update "ess" set "lifecycle" = 'DECOMMISSIONED' where "code" = 'PAI-00002'`)
    const { report } = await files.send('pairing?dryRun=true', 'controlPcb,ess,role\nPCB-CD0001,PAI-00002,MAIN')
    expect(report).toMatchObject({
      created: 0,
      failed: 1,
      faults: [{ row: 2, message: expect.stringContaining('decommissioned') }],
    })
  })

  it('is undone as far as nobody has touched it', async () => {
    const { report } = await files.send('ess?fileName=undo.csv', file(...codes('UND', 4).map((code) => row(code))))
    const ids = Object.fromEntries(
      (await files.server.rows<{ id: string; code: string }>(`select "id", "code" from "ess" where "code" like 'UND-%'`)).map(
        ({ id, code }) => [code, id],
      ),
    )
    await files.server.call('PUT', `ess/${ids['UND-00001']}`, { token: files.token, body: { version: 1, name: 'Kept' } })
    await files.server.call('DELETE', `ess/${ids['UND-00002']}`, { token: files.token })
    await files.server.rows(
      `update "control_pcb" set "essId" = '${ids['UND-00003']}' where "id" = (select min("id") from "control_pcb")`,
    )
    const undone = await files.server.call('POST', `import-job/${report.jobId}/undo`, { token: files.token })
    expect(undone.body).toMatchObject({
      fileName: 'undo.csv',
      removed: 1,
      kept: expect.arrayContaining([
        { code: 'UND-00001', reason: 'it was changed since' },
        { code: 'UND-00002', reason: 'it is not there any more' },
        { code: 'UND-00003', reason: 'other records refer to it' },
      ]),
    })
    expect(await files.count('ess', `"code" like 'UND-%'`)).toBe(2)
    expect((await files.audits(`"entityId" = '${ids['UND-00004']}'`)).at(-1)).toMatchObject({
      action: 'delete',
      code: 'UND-00004',
    })
    expect(await files.server.call('POST', `import-job/${report.jobId}/undo`, { token: files.token })).toMatchObject({
      status: 409,
      body: { code: 'import.already-undone' },
    })
    expect((await files.server.call('POST', 'import-job/nothing/undo', { token: files.token })).status).toBe(404)
  })

  it('takes back boards and clients whole, but not those who have come', async () => {
    const boards = await files.send('control-pcb', 'code,uid,hardwareRevision\nPCB-DD0001,0000DD000001,B1')
    expect(
      (await files.server.call('POST', `import-job/${boards.report.jobId}/undo`, { token: files.token })).body,
    ).toMatchObject({
      removed: 1,
      kept: [],
    })
    expect(await files.count('configuration', `not exists (select from "control_pcb" b where b."id" = "controlPcbId")`)).toBe(0)
    const clients = await files.send('client', 'email,firstName,lastName\ngo@test.example,Gus,Go\nstay@test.example,Sue,Stay')
    const link = await files.server.linkTo('stay@test.example')
    const finished = await files.server.call('PUT', 'user/register/complete', {
      body: { token: link, password: 'tiny-otter-waves-42', firstName: 'Sue', lastName: 'Stay' },
    })
    expect(finished.status).toBeLessThan(300)
    expect(
      (await files.server.call('POST', `import-job/${clients.report.jobId}/undo`, { token: files.token })).body,
    ).toMatchObject({
      removed: 1,
      kept: [{ code: 'stay@test.example' }],
    })
    expect(await files.count('user', `"email" = 'go@test.example'`)).toBe(0)
    expect(await files.count('invitation', `"email" = 'go@test.example'`)).toBe(0)
  })

  it('is remembered: who, when, how much', async () => {
    const jobs = JSON.parse((await files.server.call('GET', 'import-job', { token: files.token })).text) as Record<
      string,
      unknown
    >[]
    expect(jobs.find(({ fileName }) => fileName === 'undo.csv')).toMatchObject({
      target: 'ess',
      actor: { name: 'Ada Admin' },
      total: 4,
      created: 4,
      removed: 1,
    })
  })

  it('is the business of admins alone', async () => {
    for (const role of ['moderator', 'service_engineer', 'installer', 'client'] as const) {
      const other = await files.server.as(role)
      expect((await files.send('ess?dryRun=true', file(row('ROL-00001')), {}, other)).status).toBe(403)
      for (const path of ['import-job', 'outbox', 'demo-fleet'])
        expect((await files.server.call('GET', path, { token: other })).status).toBe(403)
    }
  })
})
