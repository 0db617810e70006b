import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sendNotices } from '#server/fleet/warning/send-notices.ts'
import { endSnoozes, nextMorning } from '#server/fleet/warning/snooze.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { troubles, WarnedBoard } from '#tests/support/warned-board.ts'
import { withTrigger } from '#tests/support/with-trigger.ts'

const { hot, insulation, veryHot } = troubles
const hourMs = 3_600_000
const why = { reason: 'Parts are on their way' }

describe('the next morning of a snooze', () => {
  it('is eight o’clock of the day after by the clock of the zone, also over a change to summer time', () => {
    const at = (now: string, zone: string) => nextMorning(new Date(now), zone).toISOString()
    expect(at('2026-03-10T23:30:00Z', 'UTC')).toBe('2026-03-11T08:00:00.000Z')
    expect(at('2026-03-10T23:30:00Z', 'Asia/Tokyo')).toBe('2026-03-11T23:00:00.000Z')
    expect(at('2026-03-28T12:00:00Z', 'Europe/Vienna')).toBe('2026-03-29T06:00:00.000Z')
  })
})

describe.each(oneEngine(import.meta.filename))('a snooze on $name', (engine) => {
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

  const raise = async () => {
    await warned.see(0, hot)
    await warned.see(60, hot)
    return (await warned.only()).id
  }
  const snooze = (id: string, body: object, role: 'admin' | 'service_engineer' = 'admin') =>
    warned.act('snooze', id, { ...why, ...body }, role)
  const history = (id: string) =>
    server.rows<{ action: string; reason: string | null; actorId: string | null }>(
      `select "action", "reason", "actorId" from "auditLog" where "entityId" = '${id}' and "result" = 'OK' order by "at", "id"`,
    )

  it('lasts as long as was chosen, with who and why', async () => {
    const id = await raise()
    const ahead = (ms: number) => new Date(server.now.getTime() + ms).toISOString()
    expect((await snooze(id, { period: 'HOUR' })).body).toMatchObject({
      snoozed: true,
      snoozedUntil: ahead(hourMs),
      snoozedBy: expect.any(String),
      snoozeReason: why.reason,
    })
    expect((await snooze(id, { period: 'FOUR_HOURS' })).body).toMatchObject({ snoozedUntil: ahead(4 * hourMs) })
    expect((await snooze(id, { period: 'OWN', until: ahead(90_000) })).body).toMatchObject({ snoozedUntil: ahead(90_000) })
    expect((await snooze(id, { period: 'TOMORROW', zone: 'Asia/Tokyo' })).body).toMatchObject({
      snoozedUntil: nextMorning(server.now, 'Asia/Tokyo').toISOString(),
    })
    await server.rows(`update "user" set "timezone" = 'America/New_York' where "role" = 'admin'`)
    expect((await snooze(id, { period: 'TOMORROW', zone: 'Asia/Tokyo' })).body).toMatchObject({
      snoozedUntil: nextMorning(server.now, 'America/New_York').toISOString(),
    })
    expect(await history(id)).toMatchObject(Array(5).fill({ action: 'snooze', reason: why.reason }))
  })

  it('takes a reason, and a time in the next 30 days', async () => {
    const id = await raise()
    expect(await warned.act('snooze', id, { period: 'HOUR' })).toMatchObject({
      status: 400,
      body: { fields: { reason: expect.any(String) } },
    })
    for (const until of [server.now, new Date(server.now.getTime() + 31 * 24 * hourMs)]) {
      const refused = await snooze(id, { period: 'OWN', until: until.toISOString() })
      expect(refused).toMatchObject({ status: 400, body: { code: 'warning.snooze-time' } })
    }
    expect((await snooze(id, { period: 'OWN' })).status).toBe(400)
    expect((await snooze(id, { period: 'HOUR', until: new Date(server.now.getTime() + hourMs).toISOString() })).status).toBe(
      400,
    )
  })

  it('is for those who look after the site', async () => {
    const id = await raise()
    expect((await snooze(id, {}, 'service_engineer')).status).toBe(403)
    expect((await warned.act('take', id, {}, 'service_engineer')).status).toBe(403)
    expect((await warned.act('snooze', id, why, 'client')).status).toBe(403)
    const [admin] = await server.rows<{ id: string }>(`select "id" from "user" where "role" = 'admin' limit 1`)
    expect((await warned.act('take', id, {})).body).toMatchObject({ assigneeId: admin?.id })
    expect(await warned.act('take', id, {})).toMatchObject({ status: 409, body: { code: 'action.wrong-state' } })
  })

  it('takes the warning out of open work until its time is over, and then tells people again', async () => {
    const id = await raise()
    await server.rows(`delete from "warningNotice"`)
    await snooze(id, { period: 'HOUR' })
    const listed = async (filter: string) =>
      (await server.call<{ id: string }[]>('GET', `telemetry-warning?${filter}&_end=200`)).body.map((row) => row.id)
    expect(await listed('active=true&snoozed=false')).not.toContain(id)
    expect(await listed('snoozed=true')).toContain(id)
    server.pass(3599)
    await endSnoozes(server.database, server.now)
    expect(await warned.only()).toMatchObject({ snoozed: true })
    server.pass(1)
    await server.rows('delete from "event"')
    await endSnoozes(server.database, server.now)
    expect(await warned.only()).toMatchObject({ snoozed: false, snoozedUntil: null, snoozedBy: null, snoozeReason: null })
    expect(await history(id)).toMatchObject([
      { action: 'snooze' },
      { action: 'end-snooze', reason: 'snooze-ended', actorId: null },
    ])
    expect(await warned.noticesOf(id)).toMatchObject([{ severity: 'WARNING' }])
    const heard = await server.rows<{ id: string }>('select "entityId" as "id" from "event"')
    expect(heard.map((event) => event.id)).toContain(id)
    await endSnoozes(server.database, server.now)
    expect(await warned.noticesOf(id)).toHaveLength(1)
  })

  it('ends with those of hundreds of others in few statements, each with its entry', async () => {
    await server.rows(`insert into "telemetry_warning" ("id", "code", "severity", "active", "acknowledged", "suppressed", "raisedAt", "snoozedUntil")
      select 'many-' || "n", 'OVER_TEMP', 'WARNING', true, false, false, now(), now() from generate_series(1, 1200) "n"`)
    await server.rows('create table "statement" ("at" timestamptz default clock_timestamp())')
    const act = 'insert into "statement" default values;'
    const counted = { table: 'auditLog', at: 'after insert', each: 'statement', act } as const
    server.pass(60)
    await withTrigger(server, counted, () => endSnoozes(server.database, server.now))
    expect((await server.rows('select 1 from "statement"')).length).toBeLessThan(10)
    const ended = `"action" = 'end-snooze' and "entityId" like 'many-%' and "actorId" is null and "after" = '{"snoozedUntil": null}'`
    expect(await server.rows(`select count(*)::int as "count" from "auditLog" where ${ended}`)).toEqual([{ count: 1_200 }])
    expect(
      await server.rows(`select 1 from "telemetry_warning" where "snoozedUntil" is not null and "id" like 'many-%'`),
    ).toEqual([])
    await server.rows(`delete from "telemetry_warning" where "id" like 'many-%'`)
  })

  it('keeps quiet what was on its way to people', async () => {
    await server.rows(`update "user" set "notificationPrefs" = '{"push": "WARNING"}'`)
    const id = await raise()
    await snooze(id, { period: 'HOUR' })
    await server.rows('delete from "event"')
    await sendNotices(server.database, { now: server.now, send: () => undefined })
    const told = await server.rows<{ note: { link: string } }>(`select "note" from "event" where "note" is not null`)
    expect(told.filter(({ note }) => note.link.endsWith(id))).toEqual([])
  })

  it('ends when the warning gets worse', async () => {
    const id = await raise()
    await snooze(id, { period: 'FOUR_HOURS' })
    await warned.see(60, veryHot)
    await warned.see(60, veryHot)
    expect(await warned.only()).toMatchObject({ id, severity: 'CRITICAL', snoozed: false, snoozedUntil: null })
    expect(await warned.noticesOf(id)).toMatchObject([{ severity: 'WARNING' }, { severity: 'CRITICAL' }])
  })

  it('ends when the warning is over and comes back', async () => {
    await warned.see(0, insulation)
    const { id } = await warned.only()
    await snooze(id, { period: 'FOUR_HOURS' })
    await warned.act('clear', id, { note: 'cable changed' })
    expect(await warned.only()).toMatchObject({ active: false, snoozed: false })
    await warned.see(60, insulation)
    expect(await warned.only()).toMatchObject({ active: true, occurrences: 2, snoozed: false, snoozedUntil: null })
  })

  it('is ended by hand', async () => {
    const id = await raise()
    expect((await warned.act('wake', id, {})).status).toBe(409)
    await snooze(id, { period: 'FOUR_HOURS' })
    expect((await warned.act('wake', id, {})).body).toMatchObject({ snoozed: false, snoozedUntil: null })
    expect((await history(id)).map(({ action }) => action)).toEqual(['snooze', 'wake'])
  })

  it('is not for what is over', async () => {
    const id = await raise()
    await warned.see(60, {})
    expect(await snooze(id, {})).toMatchObject({ status: 409, body: { code: 'action.wrong-state' } })
  })
})
