import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { webhookEvents } from '#resources/shared/webhook-events.ts'
import { escalateWarnings } from '#server/fleet/warning/escalate.ts'
import { watchServerRules } from '#server/fleet/warning/watch-server-rules.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { engines } from '#tests/support/databases.ts'
import { troubles, WarnedBoard } from '#tests/support/warned-board.ts'

const { hot, insulation, veryHot } = troubles
type Told = { type: string; timestamp: string; data: Record<string, unknown> }

describe.each(engines)('a webhook on $name hears', (engine) => {
  let server: BoardServer
  let warned: WarnedBoard
  beforeAll(async () => {
    server = await WarnedBoard.openServer(engine)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    warned = await WarnedBoard.add(server)
    await server.rows('delete from "webhook_delivery"')
    await server.rows('delete from "webhook"')
  })

  let made = 0
  const listen = async (facts: object = {}): Promise<string> => {
    const events = Object.keys(webhookEvents).filter((type) => !type.startsWith('record.'))
    const body = { name: `Hook ${++made}`, url: 'https://hooks.example.com/in', events, ...facts }
    const { status, body: webhook } = await server.call<{ id: string }>('POST', 'webhook', { body })
    if (status !== 201) throw new Error(JSON.stringify(webhook))
    return webhook.id
  }
  const told = async (id?: string): Promise<Told[]> => {
    const rows = await server.rows<{ body: string }>(
      `select "body" from "webhook_delivery" ${id ? `where "webhookId" = '${id}'` : ''} order by "createdAt", "id"`,
    )
    return rows.map(({ body }): Told => JSON.parse(body))
  }
  const types = async (id?: string) => (await told(id)).map(({ type }) => type)

  it('of a warning as it rises, is acknowledged and is over, by facts and without a person', async () => {
    await listen()
    await warned.see(0, insulation)
    const { id } = await warned.only()
    await warned.act('acknowledge', id, { note: 'Ann Lee looks after it' })
    await warned.act('clear', id, { note: 'cable changed' })
    expect(await types()).toEqual(['warning.raised', 'warning.acknowledged', 'warning.cleared'])
    const [raised, acknowledged, cleared] = await told()
    const facts = {
      id,
      code: 'INSULATION_FAULT',
      title: 'Insulation fault',
      severity: 'CRITICAL',
      active: true,
      acknowledged: false,
      flapping: false,
      occurrences: 1,
      subject: null,
      value: null,
      threshold: null,
      unit: null,
      startedAt: expect.stringMatching(/Z$/),
      raisedAt: expect.stringMatching(/Z$/),
      acknowledgedAt: null,
      clearedAt: null,
      ess: { id: warned.board.essId, code: expect.any(String) },
      controlPcb: { id: warned.board.id, code: expect.any(String) },
      page: `/telemetry-warning/${id}`,
    }
    expect(raised?.data).toEqual(facts)
    expect(acknowledged?.data).toEqual({ ...facts, acknowledged: true, acknowledgedAt: expect.stringMatching(/Z$/) })
    expect(cleared?.data).toMatchObject({ active: false, clearedAt: expect.stringMatching(/Z$/) })
    expect(JSON.stringify(await told())).not.toMatch(/Ann|Lee|@|looks after|cable/)
  })

  it('of one that the board had kept for hours, by the time at which it began', async () => {
    await listen()
    const beganAt = new Date(Math.floor(server.now.getTime() / 1000) * 1000 - 3 * 3_600_000)
    await warned.send(warned.sample(insulation, beganAt), server.now.getTime())
    const [raised] = await told()
    expect(raised).toMatchObject({
      type: 'warning.raised',
      data: { startedAt: beganAt.toISOString(), raisedAt: server.now.toISOString() },
    })
  })

  it('of the end that the board reports, and of one that comes back', async () => {
    await listen()
    await warned.see(0, insulation)
    await warned.see(60, {})
    const { id } = await warned.only()
    await warned.act('clear', id, { note: 'done' })
    await warned.see(60, insulation)
    expect(await types()).toEqual(['warning.raised', 'warning.cleared', 'warning.raised'])
    expect((await told()).map(({ data }) => [data.id, data.occurrences])).toEqual([
      [id, 1],
      [id, 1],
      [id, 2],
    ])
  })

  it('of another severity with the one before it', async () => {
    await listen()
    for (let count = 0; count < 5; count += 1) await warned.see(60, hot)
    for (let count = 0; count < 5; count += 1) await warned.see(60, veryHot)
    const changes = (await told()).filter(({ type }) => type === 'warning.severity-changed')
    expect(changes.map(({ data }) => [data.formerSeverity, data.severity])).toEqual([['WARNING', 'CRITICAL']])
  })

  it('of no lesser warning than it asks for, and of no kind that it has not chosen', async () => {
    const [critical, ends] = [await listen({ minSeverity: 'CRITICAL' }), await listen({ events: ['warning.cleared'] })]
    for (let count = 0; count < 5; count += 1) await warned.see(60, hot)
    expect(await types(critical)).toEqual([])
    for (let count = 0; count < 5; count += 1) await warned.see(60, veryHot)
    expect(await types(critical)).toEqual(['warning.severity-changed'])
    expect(await types(ends)).toEqual([])
    for (let count = 0; count < 10; count += 1) await warned.see(60, {})
    expect(await types(ends)).toEqual(['warning.cleared'])
  })

  it('of nothing during maintenance, and of what outlives it', async () => {
    await listen()
    const until = new Date(server.now.getTime() + 3_600_000).toISOString()
    await server.rows(
      `update "ess" set "maintenance" = '{"until": "${until}", "reason": "filter"}' where "id" = '${warned.board.essId}'`,
    )
    await warned.see(0, insulation)
    expect(await types()).toEqual([])
    server.pass(3_601)
    await watchServerRules(server.database, server.now, { rules: [] })
    expect(await types()).toEqual(['warning.raised'])
  })

  it('of an escalation with the group that is told', async () => {
    await listen({ events: ['warning.escalated'] })
    await server.call('POST', 'escalation', { body: { severity: 'CRITICAL', afterMin: 15, role: 'admin' } })
    await warned.see(0, insulation)
    server.pass(900)
    await escalateWarnings(server.database, server.now)
    const { id } = await warned.only()
    const events = (await told()).filter(({ data }) => data.id === id)
    expect(events).toMatchObject([{ type: 'warning.escalated', data: { escalation: { afterMin: 15, role: 'admin' } } }])
  })

  it('of many warnings of one moment, each by a message of its own', async () => {
    const boards = [await server.addBoard(), await server.addBoard()].map(({ id }) => id)
    await listen({ events: ['warning.raised', 'warning.cleared'] })
    const heard = (ago: string) =>
      server.rows(`insert into "boardState" ("controlPcbId", "lastPacketAt", "lastValidPacketAt")
        select "id", now() - interval '${ago}', now() - interval '${ago}' from "control_pcb" where "id" in (${boards.map((id) => `'${id}'`).join()})
        on conflict ("controlPcbId") do update set "lastPacketAt" = excluded."lastPacketAt", "lastValidPacketAt" = excluded."lastValidPacketAt"`)
    server.setNow(new Date())
    await heard('30 min')
    await watchServerRules(server.database, server.now)
    await heard('0 s')
    await watchServerRules(server.database, server.now)
    for (const board of boards) {
      const own = (await told()).filter(({ data }) => Object(data.controlPcb).id === board && data.code === 'COMM_LOST')
      expect(own.map(({ type }) => type)).toEqual(['warning.raised', 'warning.cleared'])
    }
  })
})
