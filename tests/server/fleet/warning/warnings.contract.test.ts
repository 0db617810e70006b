import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { watchServerRules } from '#server/fleet/warning/watch-server-rules.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { troubles, WarnedBoard } from '#tests/support/warned-board.ts'

const { door, hot, insulation, veryHot } = troubles

describe.each(oneEngine(import.meta.filename))('warnings on $name', (engine) => {
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

  it('open with what was measured, colour the health of the ESS, and end by themselves', async () => {
    await warned.see(0, hot)
    expect(await warned.open()).toEqual([])
    await warned.see(60, hot)
    const warning = await warned.only()
    expect(warning).toMatchObject({
      code: 'OVER_TEMP',
      severity: 'WARNING',
      state: 'ACTIVE_UNACK',
      source: 'BOARD',
      essId: warned.board.essId,
      value: 47,
      threshold: 45,
      unit: '°C',
      occurrences: 1,
      active: true,
      suppressed: false,
      flapping: false,
      startedAt: warned.clockTime(-60_000),
    })
    const { body } = await server.call('GET', `telemetry-warning/${warning.id}`)
    expect(body).toMatchObject({ snapshot: { cellTempMaxC: 47, socPct: 63.4 }, packageId: expect.any(String) })
    expect(await warned.ess()).toMatchObject({ health: 'WARNING', counts: { openWarnings: 1 } })
    expect((await server.call('GET', `control-pcb/${warned.board.id}`)).body).toMatchObject({ openWarnings: 1 })
    await warned.see(60, {})
    expect(await warned.only()).toMatchObject({
      state: 'CLEARED_UNACK',
      active: false,
      clearedAt: warned.clockTime(),
      clearedBy: null,
    })
    expect(await warned.ess()).toMatchObject({ health: 'OK', counts: { openWarnings: 0 } })
  })

  it('are found by their words in either language, their board and their ESS', async () => {
    await warned.see(0, hot)
    await warned.see(60, hot)
    const { id } = await warned.only()
    const found = async (q: string) => {
      const { body } = await server.call<{ id: string }[]>('GET', `telemetry-warning?q=${encodeURIComponent(q)}&_end=200`)
      return body.map((row) => row.id)
    }
    for (const q of [`ess-${warned.board.uid}`, `PCB-${warned.board.uid}`.slice(0, -1), 'too hot', 'перегрев'])
      expect(await found(q), q).toContain(id)
    expect(await found('ESS-NOWHERE')).toEqual([])
  })

  it('open again when they come back within ten minutes, and as new ones after that', async () => {
    const heatUp = async (afterS: number) => {
      await warned.see(afterS, hot)
      await warned.see(60, hot)
    }
    await heatUp(0)
    await warned.see(60, {})
    await heatUp(300)
    expect(await warned.only()).toMatchObject({ occurrences: 2, active: true, clearedAt: null })
    await warned.see(60, {})
    await heatUp(700)
    expect(await warned.open()).toHaveLength(2)
  })

  it('rise while they are open, and are new to people again', async () => {
    await warned.see(0, hot)
    await warned.see(60, hot)
    const { id } = await warned.only()
    expect((await warned.act('acknowledge', id, { note: 'on my way' })).body).toMatchObject({
      state: 'ACTIVE_ACK',
      ackNote: 'on my way',
    })
    await warned.see(60, veryHot)
    await warned.see(60, veryHot)
    expect(await warned.only()).toMatchObject({ id, severity: 'CRITICAL', trip: true, state: 'ACTIVE_UNACK', threshold: 55 })
    expect(await warned.noticesOf(id)).toMatchObject([{ severity: 'WARNING' }, { severity: 'CRITICAL' }])
  })

  it('stay until a person clears them where the battery has switched itself off', async () => {
    await warned.see(0, insulation)
    await warned.see(60, {})
    const warning = await warned.only()
    expect(warning).toMatchObject({ code: 'INSULATION_FAULT', severity: 'CRITICAL', trip: true, latched: true, active: true })
    expect((await warned.act('clear', warning.id, {})).status).toBe(400)
    expect((await warned.act('clear', warning.id, { note: 'cable changed' })).body).toMatchObject({
      state: 'CLEARED_ACK',
      active: false,
    })
    expect(await warned.act('clear', warning.id, { note: 'again' })).toMatchObject({
      status: 409,
      body: { code: 'action.wrong-state' },
    })
    const { body } = await server.call<{ comments: object[] }>('GET', `telemetry-warning/${warning.id}`)
    expect(body.comments).toMatchObject([{ text: 'cable changed' }])
    await warned.see(60, insulation)
    expect(await warned.only()).toMatchObject({ active: true, occurrences: 2 })
  })

  it('refuse to be cleared while they end by themselves', async () => {
    await warned.see(0, hot)
    await warned.see(60, hot)
    expect(await warned.act('clear', (await warned.only()).id, { note: 'away' })).toMatchObject({
      status: 409,
      body: { code: 'action.wrong-state' },
    })
  })

  it('end, also those that would stay, when their board is taken away, and open consoles hear of it', async () => {
    await warned.see(0, insulation)
    const { id } = await warned.only()
    await server.rows('delete from "event"')
    const body = { controlPcbId: warned.board.id, reason: 'swap' }
    expect((await server.call('DELETE', `ess/${warned.board.essId}/remove-control-pcb`, { body })).status).toBe(204)
    expect(await warned.only()).toMatchObject({ id, active: false, clearedAt: server.now.toISOString(), clearedBy: null })
    const told = await server.rows<{ id: string }>('select "entityId" as "id" from "event"')
    expect(told.map((event) => event.id)).toEqual(expect.arrayContaining([id, warned.board.id, warned.board.essId]))
  })

  it('tell once of what comes and goes', async () => {
    for (let times = 0; times < 6; times++) {
      await warned.see(60, door)
      await warned.see(60, door)
      await warned.see(60, {})
    }
    const warning = await warned.only()
    expect(warning).toMatchObject({ occurrences: 6, flapping: true })
    expect(await warned.noticesOf(warning.id)).toHaveLength(4)
  })

  it('are recorded during maintenance, and count when it has ended', async () => {
    const until = new Date(server.now.getTime() + 600_000).toISOString()
    await server.call('PUT', `ess/${warned.board.essId}/maintenance`, { body: { until, reason: 'new fan' } })
    await warned.see(0, veryHot)
    await warned.see(60, veryHot)
    const warning = await warned.only()
    expect(warning).toMatchObject({ severity: 'CRITICAL', suppressed: true })
    expect(await warned.noticesOf(warning.id)).toEqual([])
    expect(await warned.ess()).toMatchObject({ counts: { openWarnings: 0 } })
    const shown = async () => (await server.call('GET', `telemetry-warning/${warning.id}`)).body
    expect(await shown()).toMatchObject({ maintenance: { until, reason: 'new fan', by: { id: expect.any(String) } } })
    server.pass(600)
    await watchServerRules(server.database, server.now)
    expect(await warned.only()).toMatchObject({ suppressed: false })
    expect(await shown()).toMatchObject({ maintenance: { reason: 'new fan' } })
  })

  it('are acknowledged, assigned and commented by those who look after the site', async () => {
    await warned.see(0, insulation)
    const { id, value, threshold } = await warned.only()
    // A flag has nothing to measure.
    expect([value, threshold]).toEqual([null, null])
    expect((await warned.act('acknowledge', id, {}, 'client')).status).toBe(403)
    expect((await warned.act('acknowledge', id, {}, 'service_engineer')).status).toBe(403)
    expect((await warned.act('comment', id, { text: 'seen it' }, 'service_engineer')).status).toBe(201)
    const [engineer] = await server.rows<{ id: string }>(`select "id" from "user" where "role" = 'service_engineer' limit 1`)
    await server.rows(
      `insert into "service_engineer" ("id", "userId", "essId", "scope", "state") values ('${id}', '${engineer?.id}', '${warned.board.essId}', 'FULL', 'ACTIVE')`,
    )
    expect((await warned.act('acknowledge', id, {}, 'service_engineer')).status).toBe(200)
    expect((await warned.act('assign', id, { userId: engineer?.id })).body).toMatchObject({ assigneeId: engineer?.id })
    const [client] = await server.rows<{ id: string }>(`select "id" from "user" where "role" = 'client' limit 1`)
    expect(await warned.act('assign', id, { userId: client?.id })).toMatchObject({
      status: 400,
      body: { code: 'warning.assignee-not-staff' },
    })
    const people = await server.call<{ id: string }[]>('GET', 'telemetry-warning/assignees', { role: 'service_engineer' })
    expect(people.body.map((person) => person.id)).toContain(engineer?.id)
    expect(people.body.map((person) => person.id)).not.toContain(client?.id)
    const trail = await server.rows(
      `select "action" from "auditLog" where "entityId" = '${id}' and "result" = 'OK' order by "at", "id"`,
    )
    expect(trail.map(({ action }) => action)).toEqual(['comment', 'acknowledge', 'assign'])
  })
})
