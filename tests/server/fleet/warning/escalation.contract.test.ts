import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { escalateWarnings } from '#server/fleet/warning/escalate.ts'
import { endSnoozes } from '#server/fleet/warning/snooze.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { troubles, WarnedBoard } from '#tests/support/warned-board.ts'

const { hot, insulation, veryHot } = troubles

describe.each(oneEngine(import.meta.filename))('an escalation on $name', (engine) => {
  let server: BoardServer
  let warned: WarnedBoard
  let boss: string
  beforeAll(async () => {
    server = await WarnedBoard.openServer(engine)
    await server.call('POST', 'escalation', { body: { severity: 'CRITICAL', afterMin: 15, role: 'moderator' } })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    warned = await WarnedBoard.add(server)
    boss = uuidv7()
    await server.rows(`update "user" set "lockedAt" = now() where "role" = 'moderator'`)
    await server.rows(`insert into "user" ("id", "email", "role", "firstName", "lastName", "language", "notificationPrefs") values
      ('${boss}', '${boss}@example.com', 'moderator', 'Ann', 'Lee', 'ru', '{"push": "INFO", "email": "CRITICAL"}')`)
    await server.rows(`update "telemetry_warning" set "active" = false, "clearedAt" = now()`)
    await server.rows('delete from "warningEscalation"')
    await server.rows('delete from "mailJob"')
  })

  const told = async () => {
    await escalateWarnings(server.database, server.now)
    const rows = await server.rows<{ note: { title: string[]; link: string } }>(
      `select "note" from "event" where "userId" = '${boss}' order by "id"`,
    )
    return rows.map(({ note }) => note.title[0])
  }
  const mails = async () =>
    (
      await server.rows<{ mail: { to: string; values: { subject: string } } }>(`select "mail" from "mailJob" order by "id"`)
    ).map(({ mail }) => [mail.to, mail.values.subject])
  const late = 'Not acknowledged for 15 min: Insulation fault'

  it('tells the next group of a critical warning that nobody acknowledges in time, once, and of its end', async () => {
    await warned.see(0, insulation)
    const { id } = await warned.only()
    server.pass(899)
    expect(await told()).toEqual([])
    server.pass(1)
    expect(await told()).toEqual([late])
    expect(await told()).toEqual([late])
    expect(await mails()).toEqual([[`${boss}@example.com`, 'Не подтверждено 15 мин: Нарушение изоляции']])
    const trail = await server.rows(`select "action", "reason", "actorId" from "auditLog" where "entityId" = '${id}'`)
    expect(trail).toEqual([{ action: 'escalate', reason: 'not-acknowledged', actorId: null }])
    await warned.act('clear', id, { note: 'cable changed' })
    expect(await told()).toEqual([late, 'Over: Insulation fault'])
    expect(await told()).toHaveLength(2)
    expect((await mails()).at(-1)).toEqual([`${boss}@example.com`, 'Прошло: Нарушение изоляции'])
  })

  it('tells nobody of its end who has another role by then', async () => {
    await warned.see(0, insulation)
    const { id } = await warned.only()
    server.pass(900)
    expect(await told()).toEqual([late])
    await server.rows(`update "user" set "role" = 'client' where "id" = '${boss}'`)
    await warned.act('clear', id, { note: 'cable changed' })
    expect(await told()).toEqual([late])
    expect(await mails()).toHaveLength(1)
  })

  it('tells everybody of the end of a mass failure, in transactions of 50 messages at most', async () => {
    const count = 120
    await server.rows(`insert into "telemetry_warning" ("id", "code", "severity", "active", "acknowledged", "raisedAt", "controlPcbId", "essId")
      select 'mass-' || "n", "w"."code", "w"."severity", false, false, "w"."raisedAt", "w"."controlPcbId", "w"."essId"
      from generate_series(1, ${count}) "n", (select * from "telemetry_warning" limit 1) "w"`)
    await server.rows(`insert into "warningEscalation" ("warningId", "userId", "at")
      select 'mass-' || "n", '${boss}', now() from generate_series(1, ${count}) "n"`)
    expect(await told()).toHaveLength(count)
    const ids = `select count(*)::int as "messages" from "mailJob" group by "xmin"::text order by 1`
    expect(await server.rows(ids)).toEqual([{ messages: 20 }, { messages: 50 }, { messages: 50 }])
    expect(await told()).toHaveLength(count)
  })

  it('does not come for what was acknowledged, put off, muted, over, or of a severity without a row', async () => {
    await warned.see(0, insulation)
    const { id } = await warned.only()
    await warned.act('acknowledge', id, {})
    const other = await WarnedBoard.add(server)
    await other.see(0, insulation)
    await other.act('snooze', (await other.only()).id, { period: 'FOUR_HOURS', reason: 'tomorrow' })
    const mild = await WarnedBoard.add(server)
    await mild.see(0, hot)
    await mild.see(60, hot)
    const muted = await WarnedBoard.add(server)
    await muted.see(0, insulation)
    await server.rows(`update "telemetry_warning" set "suppressed" = true where "id" = '${(await muted.only()).id}'`)
    server.pass(3600)
    expect(await told()).toEqual([])
    expect(await mails()).toEqual([])
  })

  it('counts the time from the moment at which the warning became so bad, or came back from a snooze', async () => {
    await warned.see(0, hot)
    await warned.see(60, hot)
    await warned.see(1800, veryHot)
    await warned.see(60, veryHot)
    const { id, severity } = await warned.only()
    expect(severity).toBe('CRITICAL')
    expect(await told()).toEqual([])
    await warned.act('snooze', id, { period: 'HOUR', reason: 'wait' })
    server.pass(3600)
    await endSnoozes(server.database, server.now)
    expect(await told()).toEqual([])
    server.pass(900)
    expect(await told()).toEqual(['Not acknowledged for 15 min: Battery too hot'])
  })

  it('is not held up by warnings of which there is nobody to tell', async () => {
    await server.call('POST', 'escalation', { body: { severity: 'WARNING', afterMin: 15, role: 'service_engineer' } })
    const nobodys = await WarnedBoard.add(server)
    await nobodys.see(0, hot)
    await nobodys.see(60, hot)
    const { id, severity } = await nobodys.only()
    expect(severity).toBe('WARNING')
    await server.rows(`insert into "telemetry_warning" select "copy".* from "telemetry_warning" "w", generate_series(1, 60) "n",
      jsonb_populate_record("w", jsonb_build_object('id', gen_random_uuid(), 'subject', "n"::text)) "copy" where "w"."id" = '${id}'`)
    await warned.see(0, insulation)
    server.pass(900)
    expect(await told()).toEqual([late])
  })

  it('comes again when the warning comes back, and leaves out who wants no notices', async () => {
    await warned.see(0, insulation)
    const { id } = await warned.only()
    server.pass(900)
    expect(await told()).toEqual([late])
    await warned.act('clear', id, { note: 'cable changed' })
    expect(await told()).toHaveLength(2)
    await server.rows(`update "telemetry_warning" set "acknowledged" = false where "id" = '${id}'`)
    await warned.see(60, insulation)
    expect(await warned.only()).toMatchObject({ id, active: true })
    expect(await told()).toHaveLength(2)
    await server.rows(`update "user" set "notificationPrefs" = '{"push": "OFF", "email": "OFF"}' where "id" = '${boss}'`)
    server.pass(900)
    expect(await told()).toHaveLength(2)
    expect(await server.rows(`select 1 from "auditLog" where "entityId" = '${id}' and "action" = 'escalate'`)).toHaveLength(2)
  })

  it('reaches service engineers of the site only, and its rows are the admin’s to write', async () => {
    const [row] = (await server.call<{ id: string; version: number }[]>('GET', 'escalation')).body
    const change = { afterMin: 5, role: 'service_engineer', version: row?.version }
    expect((await server.call('PUT', `escalation/${row?.id}`, { body: change, role: 'service_engineer' })).status).toBe(403)
    expect(
      (await server.call('POST', 'escalation', { body: { severity: 'CRITICAL', afterMin: 5, role: 'admin' } })).status,
    ).toBe(409)
    expect((await server.call('PUT', `escalation/${row?.id}`, { body: change })).status).toBe(200)
    await server.rows(`update "user" set "role" = 'service_engineer' where "id" = '${boss}'`)
    await warned.see(0, insulation)
    const own = await WarnedBoard.add(server)
    await own.see(0, insulation)
    await server.rows(`insert into "service_engineer" ("id", "essId", "userId", "scope", "state")
      values ('own-${boss.slice(-6)}', '${own.board.essId}', '${boss}', 'FULL', 'ACTIVE')`)
    server.pass(300)
    expect(await told()).toEqual(['Not acknowledged for 5 min: Insulation fault'])
  })
})
