import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Lease } from '#server/db/jobs/lease.ts'
import { type ServerFinding, type ServerRule, serverRules } from '#server/fleet/warning/server-rules.ts'
import { watchServerRules } from '#server/fleet/warning/watch-server-rules.ts'
import { afterFirst } from '#tests/support/after-first.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { troubles, WarnedBoard } from '#tests/support/warned-board.ts'

describe.each(oneEngine(import.meta.filename))('warnings that the server finds on $name', (engine) => {
  let server: BoardServer
  let warned: WarnedBoard
  beforeAll(async () => {
    server = await WarnedBoard.openServer(engine)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    warned = await WarnedBoard.add(server)
    await server.rows(`delete from "warningNotice"`)
  })

  it('are not told of boards that may have spoken while nobody listened, until they have had the time to speak again', async () => {
    await warned.see(0, {})
    const watch = () => watchServerRules(server.database, server.now)
    const silentFor = (time: string) =>
      server.rows(
        `update "boardState" set "lastValidPacketAt" = now() - interval '${time}' where "controlPcbId" = '${warned.board.id}'`,
      )
    const lease = new Lease(server.database, { name: 'jobs', lifeMs: 15_000 })
    /** As if the lease had run out, or been held without a break, so long ago. */
    const leaseOf = (column: 'heldSince' | 'expiresAt', time: string) =>
      server.rows(`update "lease" set "${column}" = now() - interval '${time}'`)
    const backAfter = async (time: string) => {
      await leaseOf('expiresAt', time)
      expect(await lease.take()).toBe(true)
      await watch()
    }
    await lease.take()
    await silentFor('30 min')
    await backAfter('20 min')
    expect(await warned.open()).toEqual([])

    await leaseOf('heldSince', '16 min')
    await watch()
    expect(await warned.only()).toMatchObject({ code: 'COMM_LOST', severity: 'WARNING', active: true })
    // A break neither ends nor worsens a known loss.
    await silentFor('30 hours')
    await backAfter('20 min')
    expect(await warned.only()).toMatchObject({ code: 'COMM_LOST', severity: 'WARNING', active: true })
    // A server that takes over within a minute has heard the same frames as its predecessor.
    await leaseOf('heldSince', '2 days')
    await backAfter('30 s')
    expect(await warned.only()).toMatchObject({ code: 'COMM_LOST', severity: 'CRITICAL' })
    await server.rows('delete from "lease"')
  })

  const failing = sql<ServerFinding>`select 1 / 0`
  const tooSlow = sql<ServerFinding>`select "tooSlow"()`

  it.each([
    ['fails', failing],
    ['takes too long', tooSlow],
  ])('are found although one of the rules %s, whose failure is told', async (_, statement) => {
    await server.rows(`create or replace function "tooSlow"() returns int language plpgsql as $$
      begin raise exception using errcode = 'query_canceled', message = 'this takes too long'; end $$`)
    await warned.see(0, {})
    await server.rows(
      `update "boardState" set "lastValidPacketAt" = now() - interval '30 min' where "controlPcbId" = '${warned.board.id}'`,
    )
    const broken: ServerRule = { code: 'FW_REVOKED', holds: () => statement }
    const watching = watchServerRules(server.database, server.now, { rules: [broken, ...serverRules] })
    await expect(watching).rejects.toThrow('rule FW_REVOKED failed')
    expect(await warned.only()).toMatchObject({ code: 'COMM_LOST', active: true })
  })

  it('are unmuted after maintenance although one of the rules fails each time', async () => {
    const until = new Date(server.now.getTime() + 60 * 60_000).toISOString()
    await server.call('PUT', `ess/${warned.board.essId}/maintenance`, { body: { until, reason: 'new fan' } })
    await warned.see(0, troubles.insulation)
    const muted = async () => (await warned.open()).find(({ code }) => code === 'INSULATION_FAULT')?.suppressed
    expect(await muted()).toBe(true)
    const hoursAgo = new Date(server.now.getTime() - 2 * 60 * 60_000).toISOString()
    await server.rows(
      `insert into "warningOpening" ("place", "code", "at") values ('${warned.board.id}', 'OLD', '${hoursAgo}')`,
    )
    server.setNow(new Date(Date.parse(until) + 1))
    const broken: ServerRule = { code: 'FW_REVOKED', holds: () => failing }
    const watching = watchServerRules(server.database, server.now, { rules: [broken] })
    await expect(watching).rejects.toThrow('rule FW_REVOKED failed')
    expect(await muted()).toBe(false)
    expect(await server.rows(`select 1 from "warningOpening" where "code" = 'OLD'`)).toEqual([])
  })

  it('are found by the server: silence, damaged packets, refused configurations, revoked firmware', async () => {
    await warned.see(0, {})
    const watch = () => watchServerRules(server.database, server.now)
    await watch()
    expect(await warned.open()).toEqual([])
    // The database's own clock tells how long a board has been silent.
    await server.rows(
      `update "boardState" set "lastValidPacketAt" = now() - interval '30 min' where "controlPcbId" = '${warned.board.id}'`,
    )
    await watch()
    expect(await warned.only()).toMatchObject({ code: 'COMM_LOST', severity: 'WARNING', source: 'SERVER', unit: 'h' })
    await server.rows(
      `update "boardState" set "lastValidPacketAt" = now() - interval '30 hours' where "controlPcbId" = '${warned.board.id}'`,
    )
    await watch()
    expect(await warned.only()).toMatchObject({ code: 'COMM_LOST', severity: 'CRITICAL' })
    await server.rows(`update "boardState" set "lastValidPacketAt" = now() where "controlPcbId" = '${warned.board.id}'`)
    await watch()
    expect(await warned.only()).toMatchObject({ code: 'COMM_LOST', active: false })

    await server.rows(`update "packageHour" set "invalid" = 3, "valid" = 30 where "controlPcbId" = '${warned.board.id}'`)
    await server.rows(
      `insert into "configuration" ("controlPcbId", "version", "desired") values ('${warned.board.id}', 1, '{}')`,
    )
    await server.rows(
      `update "boardState" set "rejectedVersion" = 1, "rejectReason" = 'no' where "controlPcbId" = '${warned.board.id}'`,
    )
    await server.rows(
      `insert into "firmware" ("id", "firmwareVersion", "hardwareRevisions", "status", "file") values ('${warned.board.id}', '2.1.3', '["B1"]', 'REVOKED', '{"sha256": "${warned.board.id}"}')`,
    )
    await watch()
    const found = (await warned.open()).filter(({ active }) => active)
    expect(found).toMatchObject([
      { code: 'FW_REVOKED', severity: 'CRITICAL', subject: '2.1.3' },
      { code: 'CONFIG_REJECTED', severity: 'WARNING', subject: 'no' },
      { code: 'PKT_INVALID_RATE', severity: 'WARNING' },
    ])
    await server.rows(`update "packageHour" set "invalid" = 1, "valid" = 40 where "controlPcbId" = '${warned.board.id}'`)
    await watch()
    expect((await warned.open()).find(({ code }) => code === 'PKT_INVALID_RATE')).toMatchObject({ active: true })
    await server.rows(`update "packageHour" set "invalid" = 0 where "controlPcbId" = '${warned.board.id}'`)
    await server.rows(`delete from "firmware" where "id" = '${warned.board.id}'`)
    await watch()
    expect((await warned.open()).filter(({ active }) => active)).toMatchObject([{ code: 'CONFIG_REJECTED' }])
  })

  it('are muted where people have come to the site while the server looks, and what was muted stays so', async () => {
    await warned.see(0, {})
    await server.rows(
      `update "boardState" set "lastValidPacketAt" = now() - interval '30 min' where "controlPcbId" = '${warned.board.id}'`,
    )
    const now = server.now
    const until = new Date(now.getTime() + 60 * 60_000).toISOString()
    const come = async () => {
      await server.call('PUT', `ess/${warned.board.essId}/maintenance`, { body: { until, reason: 'new fan' } })
      await warned.see(60, troubles.insulation)
      await server.rows(
        `update "boardState" set "lastValidPacketAt" = now() - interval '30 min' where "controlPcbId" = '${warned.board.id}'`,
      )
    }
    await watchServerRules({ ...server.database, kysely: afterFirst(server.database.kysely, come) }, now)
    await watchServerRules(server.database, server.now)
    const muted = (await warned.open()).filter(({ code }) => code !== 'MAINTENANCE_ON')
    expect(muted).toMatchObject([
      { code: 'COMM_LOST', suppressed: true },
      { code: 'INSULATION_FAULT', suppressed: true },
    ])
    for (const { id } of muted) expect(await warned.noticesOf(id)).toEqual([])
    expect(await warned.ess()).toMatchObject({ counts: { openWarnings: 1 } })

    // When they have left it counts, and open consoles hear of it.
    server.setNow(new Date(Date.parse(until) + 1))
    await server.rows('delete from "event"')
    await watchServerRules(server.database, server.now)
    expect((await warned.open()).filter(({ suppressed }) => suppressed)).toEqual([])
    const told = await server.rows<{ id: string }>(`select "entityId" as "id" from "event" where "type" = 'updated'`)
    expect(told.map(({ id }) => id)).toEqual(
      expect.arrayContaining([...muted.map(({ id }) => id), warned.board.id, warned.board.essId]),
    )
  })

  it('name the version of the last update that failed, also of an open warning and beyond version 9', async () => {
    await warned.see(0, {})
    let count = 0
    const fails = async (toVersion: string) => {
      const at = new Date(server.now.getTime() + ++count * 1_000).toISOString()
      await server.rows(`insert into "firmware_update" ("id", "controlPcbId", "essId", "status", "toVersion", "finishedAt")
        values ('${warned.board.id}-${count}', '${warned.board.id}', '${warned.board.essId}', 'ROLLED_BACK', '${toVersion}', '${at}')`)
      await watchServerRules(server.database, server.now)
    }
    await fails('2.9.0')
    expect(await warned.only()).toMatchObject({ code: 'FW_UPDATE_FAILED', severity: 'WARNING', subject: '2.9.0' })
    await fails('2.10.0')
    expect(await warned.only()).toMatchObject({ severity: 'CRITICAL', subject: '2.10.0' })
    await fails('2.8.0')
    expect(await warned.only()).toMatchObject({ severity: 'CRITICAL', subject: '2.8.0' })
    const versionOf = async () => (await server.rows(`select "version" from "telemetry_warning" where "subject" = '2.8.0'`))[0]
    const told = await versionOf()
    await watchServerRules(server.database, server.now)
    expect(await versionOf()).toEqual(told)
  })

  it('find a clock that is wrong by the time that its board sends with', async () => {
    await warned.see(0, {}, new Date(server.now.getTime() - 7_200_000))
    expect(await warned.only()).toMatchObject({ code: 'CLOCK_DRIFT', severity: 'CRITICAL', value: expect.any(Number) })
    await warned.see(60, {})
    expect(await warned.only()).toMatchObject({ code: 'CLOCK_DRIFT', active: false })
  })

  it.each(['the time at which it is sent', 'no time'])(
    'find no wrong clock in a backlog that is sent frame by frame with %s',
    async (with_) => {
      const kept = [180, 120, 60].map((minutes) => warned.sample({}, new Date(server.now.getTime() - minutes * 60_000)))
      for (const frame of kept) await warned.send(frame, with_ === 'no time' ? undefined : server.now.getTime())
      expect(await warned.open()).toEqual([])
      const { body } = await server.call('GET', `control-pcb/${warned.board.id}`)
      expect(body.clockOffsetMs).toBe(with_ === 'no time' ? null : 0)
    },
  )

  it.each([
    ['ahead of the server', 120_000, 'WARNING'],
    ['before anything that is kept', -365 * 86_400_000, 'CRITICAL'],
  ])('find a clock %s by its frames alone', async (_place, offsetMs, severity) => {
    await warned.send(warned.sample({}, new Date(server.now.getTime() + offsetMs)))
    expect(await warned.only()).toMatchObject({ code: 'CLOCK_DRIFT', severity })
    await warned.see(60, {})
    expect(await warned.only()).toMatchObject({ code: 'CLOCK_DRIFT', active: false })
  })

  it('count the starts of a board by its headers, also when no BOOT frame comes through', async () => {
    await warned.see(0, { rebootCount: 40 })
    await warned.see(600, { rebootCount: 41 })
    await warned.see(600, { rebootCount: 42 })
    expect(await warned.open()).toEqual([])
    await warned.see(600, { rebootCount: 43 })
    expect(await warned.only()).toMatchObject({ code: 'REBOOT_LOOP', severity: 'WARNING', value: 3 })
    await warned.see(600, { rebootCount: 46 })
    expect(await warned.only()).toMatchObject({ code: 'REBOOT_LOOP', severity: 'CRITICAL', value: 6 })
    await warned.see(3_600, { rebootCount: 46 })
    expect(await warned.only()).toMatchObject({ active: false })
  })
})
