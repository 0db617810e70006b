import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prunePackages } from '#server/app/prune-packages.ts'
import { pruneTelemetry } from '#server/app/prune-telemetry.ts'
import { readConfig } from '#server/base/config.ts'
import { ensurePartitions } from '#server/fleet/telemetry/monthly-partitions.ts'
import { watchServerRules } from '#server/fleet/warning/watch-server-rules.ts'
import { telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { readCsv } from '#tests/support/read-csv.ts'
import { readZip } from '#tests/support/read-zip.ts'
import { troubles, WarnedBoard } from '#tests/support/warned-board.ts'

type CaseFile = {
  id: string
  code: string
  startsAt: string
  endsAt: string
  state: string
  counts: Record<string, number>
}
type Role = 'admin' | 'moderator' | 'service_engineer' | 'client'

const minute = 60_000
const day = 86_400_000
const headless = (text: string) => readCsv(text).slice(1)

describe.each(oneEngine(import.meta.filename))('a case file on $name', (engine) => {
  let server: BoardServer
  let warned: WarnedBoard
  let warningId: string
  let file: CaseFile
  let raisedAt: number

  const open = (id = warningId, role: Role = 'admin') =>
    server.call<CaseFile>('PUT', `telemetry-warning/${id}/open-case`, { role })
  const shown = async () => (await server.call<CaseFile>('GET', `case-file/${file.id}`)).body
  const zipCall = async (role: Role = 'admin') =>
    server.app.inject({
      url: `/api/case-file/${file.id}/zip`,
      headers: { authorization: `Bearer ${await server.token(role)}` },
    })
  const zip = async () => readZip((await zipCall()).rawPayload)
  const configured = (version: number, at: number, socMinPct: number) =>
    server.rows(`insert into "configuration" ("controlPcbId", "version", "desired", "requestedAt", "reason")
      values ('${warned.board.id}', ${version}, '{"socMinPct": ${socMinPct}}', '${new Date(at).toISOString()}', 'v${version}')`)
  const updated = (version: string, createdAt: number, finishedAt: number) =>
    server.rows(`insert into "firmware_update" ("id", "controlPcbId", "essId", "toVersion", "status", "createdAt", "finishedAt", "events")
      values ('update-${version.replaceAll('.', '')}', '${warned.board.id}', '${warned.board.essId}', '${version}', 'SUCCEEDED', '${new Date(createdAt).toISOString()}',
        '${new Date(finishedAt).toISOString()}', '[{"at": "${new Date(createdAt).toISOString()}", "from": null, "to": "QUEUED"}]')`)

  beforeAll(async () => {
    server = await WarnedBoard.openServer(engine)
    warned = await WarnedBoard.add(server)
    const start = server.now.getTime()
    await ensurePartitions(server.database, new Date(start - day), new Date(start + 2 * day))
    await configured(1, start - 20 * minute, 10)
    await configured(2, start - 10 * minute, 15)
    // Long before: no part of it.
    await warned.see(0, {})
    await warned.see(20 * 60, {})
    await updated('1.0.0', start, start + minute)
    server.setNow(new Date(start + 3 * 60 * minute))
    const other = await WarnedBoard.add(server)
    await other.see(0, {})
    await warned.see(60, {})
    await configured(3, server.now.getTime(), 20)
    await updated('2.0.0', server.now.getTime(), server.now.getTime() + minute)
    await warned.see(60, troubles.hot)
    await warned.see(60, troubles.hot)
    raisedAt = server.now.getTime()
    const damaged = telemetryFrame({}, { seq: 90, time: server.now, uid: warned.board.uid })
    damaged.writeUInt8(damaged.readUInt8(30) ^ 1, 30)
    await server.send(warned.board, damaged)
    warningId = (await warned.only()).id
    await warned.act('comment', warningId, { text: 'the fan is still' })
    server.pass(120)
    file = (await open()).body
  })
  afterAll(() => server?.close())

  it('is of the time from half an hour before a warning began to half an hour after it was last there', async () => {
    expect(file).toMatchObject({
      code: 'CASE-000001',
      warningCode: 'OVER_TEMP',
      warningId,
      essId: warned.board.essId,
      controlPcbId: warned.board.id,
      state: 'OPEN',
      startsAt: new Date(Math.floor((raisedAt - minute) / 1000) * 1000 - 30 * minute).toISOString(),
      endsAt: new Date(server.now.getTime() + 30 * minute).toISOString(),
    })
    expect((await server.call('GET', `telemetry-warning/${warningId}`)).body).toMatchObject({
      caseId: file.id,
      case: { id: file.id, code: file.code },
    })
  })

  it('is one for a warning, however often and by how many it is asked for', async () => {
    const again = await Promise.all([open(), open(warningId, 'moderator')])
    expect(again.map(({ status, body }) => [status, body.id])).toEqual([
      [200, file.id],
      [200, file.id],
    ])
    expect(await server.rows(`select count(*) as "n" from "case_file"`)).toEqual([{ n: 1 }])
  })

  it('is opened by those who look after the site, and read by the staff', async () => {
    expect((await open(warningId, 'client')).status).toBe(403)
    expect((await zipCall('client')).statusCode).toBe(403)
    expect((await server.call('GET', 'case-file', { role: 'client' })).status).toBe(403)
    expect((await open(warningId, 'service_engineer')).status).toBe(403)
    const { id } = file
    const note = { role: 'service_engineer', body: { note: 'mine' } } as const
    expect((await server.call('PUT', `case-file/${id}/edit-note`, note)).status).toBe(403)
    expect((await server.call('GET', `case-file/${id}`, { role: 'service_engineer' })).status).toBe(200)
    expect((await zipCall('service_engineer')).statusCode).toBe(200)
    await server.rows(`insert into "service_engineer" ("id", "userId", "essId", "scope", "state")
      select '${id}', "id", '${warned.board.essId}', 'FULL', 'ACTIVE' from "user" where "role" = 'service_engineer'`)
    expect((await open(warningId, 'service_engineer')).status).toBe(200)
    expect((await server.call('PUT', `case-file/${id}/edit-note`, note)).body).toMatchObject({ note: 'mine' })
  })

  it('holds what came in its time, and what the board sends of it later', async () => {
    const before = { packages: 4, samples: 3, configurations: 2, updates: 1, comments: 1 }
    expect((await shown()).counts).toEqual(before)
    await warned.see(600, {})
    expect((await shown()).counts).toEqual({ ...before, packages: 5, samples: 4 })
    server.setNow(new Date(raisedAt + 3 * 60 * minute))
    await warned.see(0, {})
    // Kept by the board while its line was away; its clock is right.
    await warned.send(warned.sample({}, new Date(raisedAt + 5 * minute)), server.now.getTime())
    const { counts, state } = await shown()
    expect(counts).toEqual({ ...before, packages: 6, samples: 5 })
    expect(state).toBe('OPEN')
    const { body, headers } = await server.call<{ id: string; deviceTime: string }[]>(
      'GET',
      `case-file/${file.id}/package?_sort=deviceTime&_order=asc&status=VALID`,
    )
    expect(headers['x-total-count']).toBe('5')
    expect(body.map(({ deviceTime }) => Date.parse(deviceTime) < Date.parse(file.endsAt))).not.toContain(false)
  })

  it('is an archive whose list of contents is true, with every row of it', async () => {
    const answer = await zipCall()
    expect(answer.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="${file.code}.zip"`,
    })
    const archive = readZip(answer.rawPayload)
    expect(archive.names).toEqual(
      [
        'README.txt',
        'configuration.json',
        'manifest.json',
        'packages.csv',
        'telemetry.csv',
        'updates.json',
        'warning.json',
      ].sort(),
    )
    expect(archive.untrue).toEqual([])
    expect(archive.manifest.files).toHaveLength(6)
    const { counts } = await shown()
    expect(archive.manifest).toMatchObject({ code: file.code, from: file.startsAt, until: file.endsAt, counts })
    const samples = readCsv(archive.text('telemetry.csv'))
    expect(samples[0]?.slice(0, 3)).toEqual(['time (UTC)', 'time (Europe/Moscow)', 'quality'])
    expect(samples).toHaveLength(1 + (counts.samples ?? 0))
    const hottest = samples[0]?.indexOf('cellTempMaxC (°C)') ?? -1
    expect(samples.slice(1).map((row) => row[hottest])).toEqual(['23.4', '47', '47', '23.4', '23.4'])
    const packages = headless(archive.text('packages.csv'))
    expect(packages).toHaveLength(counts.packages ?? 0)
    const invalid = packages.filter(([, , , , status]) => status === 'INVALID')
    expect(invalid).toHaveLength(1)
    const [first] = packages
    expect(first?.[10]).toMatch(/^([0-9a-f]{2})+$/)
    expect(JSON.parse(first?.[12] ?? '')).toContainEqual(expect.objectContaining({ name: 'socPct', value: 63.4 }))
    expect(JSON.parse(archive.text('warning.json'))).toMatchObject({
      code: 'OVER_TEMP',
      snapshot: { cellTempMaxC: 47 },
      comments: [{ text: 'the fan is still' }],
    })
    expect(JSON.parse(archive.text('configuration.json'))).toMatchObject([
      { version: 2, changes: [{ field: 'socMinPct', from: 10, to: 15 }] },
      { version: 3, changes: [{ field: 'socMinPct', from: 15, to: 20 }] },
    ])
    expect(JSON.parse(archive.text('updates.json'))).toMatchObject([{ toVersion: '2.0.0', events: [{ to: 'QUEUED' }] }])
    const trail = await server.rows(
      `select "entityId", "code" from "auditLog" where "action" = 'export' and "entityType" = 'case-file'`,
    )
    expect(trail).toContainEqual({ entityId: file.id, code: file.code })
  })

  it('keeps how to reach a person, also in who asked for a configuration', async () => {
    await server.rows(`insert into "user" ("id", "email", "role") values ('once-staff', 'once.staff@example.com', 'client')`)
    await server.rows(
      `update "configuration" set "requestedBy" = 'once-staff' where "version" = 3 and "controlPcbId" = '${warned.board.id}'`,
    )
    const askedBy = async (role: Role) => {
      const versions: { requestedBy: string }[] = JSON.parse(
        readZip((await zipCall(role)).rawPayload).text('configuration.json'),
      )
      return versions.at(-1)?.requestedBy
    }
    expect([await askedBy('moderator'), await askedBy('service_engineer')]).toEqual(['o***@example.com', 'o***@example.com'])
    await server.rows(`update "user" set "firstName" = 'Olga', "lastName" = 'Once' where "id" = 'once-staff'`)
    expect([await askedBy('moderator'), await askedBy('service_engineer')]).toEqual(['Olga Once', 'Olga Once'])
  })

  it('of a whole site is about its main board, and there is none where there is no board', async () => {
    const site = await WarnedBoard.add(server)
    const until = new Date(server.now.getTime() + 60 * minute).toISOString()
    await server.call('PUT', `ess/${site.board.essId}/maintenance`, { body: { until, reason: 'new fan' } })
    await watchServerRules(server.database, server.now)
    const { body } = await server.call<{ id: string }[]>('GET', `telemetry-warning?essId=${site.board.essId}`)
    const id = String(body[0]?.id)
    await server.rows(`update "control_pcb" set "role" = null where "id" = '${site.board.id}'`)
    expect(await open(id)).toMatchObject({ status: 409, body: { code: 'case.no-main-board' } })
    await server.rows(`update "control_pcb" set "role" = 'MAIN' where "id" = '${site.board.id}'`)
    await server.rows(`select setval('"caseNumber"', 1234567)`)
    expect((await open(id)).body).toMatchObject({
      code: 'CASE-1234568',
      warningCode: 'MAINTENANCE_ON',
      controlPcbId: site.board.id,
    })
  })

  it('is as complete as before when everything old is removed', async () => {
    const before = await zip()
    const { counts } = await shown()
    const far = new Date(server.now.getTime() + 400 * day)
    for (const _ of ['once', 'and again']) {
      await prunePackages(server.database, readConfig({}), far)
      await pruneTelemetry(server.database, far)
    }
    expect(
      await server.rows(
        `select (select count(*) from "telemetry") as "samples", (select count(*) from "package") as "packages"`,
      ),
    ).toEqual([{ samples: 0, packages: counts.packages }])
    expect((await shown()).counts).toEqual(counts)
    const after = await zip()
    expect(after.untrue).toEqual([])
    for (const name of ['telemetry.csv', 'packages.csv', 'configuration.json', 'updates.json', 'warning.json'])
      expect(after.text(name), name).toBe(before.text(name))
    expect(after.manifest.counts).toEqual(before.manifest.counts)
  })
})
