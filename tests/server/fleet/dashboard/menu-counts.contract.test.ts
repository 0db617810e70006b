import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { menuCountsSchema } from '#schema/wire/menu-counts.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'

/** Counts are kept for a second. */
const keptMs = 1_000
const ids = z.array(z.object({ id: z.string() }))

describe.each(oneEngine(import.meta.filename))('the counts of the menu on $name', (engine) => {
  let server: FleetServer
  beforeAll(async () => {
    server = await FleetServer.open(engine, { DEMO_LIVE: 'false' })
    const token = await server.as('service_engineer')
    const served = ids.parse((await server.call('GET', 'ess?served=true&_end=1', { token })).body)
    const others = ids.parse((await server.call('GET', 'ess?served=false&_end=2', { token })).body)
    await server.rows('delete from "telemetry_warning"')
    for (const { id } of [...served, ...others]) {
      await addWarning(id, 'true')
      await addWarning(id, 'false')
    }
  }, 120_000)
  afterAll(() => server?.close())

  const addWarning = (essId: string, active: string) =>
    server.rows(`insert into "telemetry_warning" ("id", "code", "severity", "trip", "latched", "source", "essId", "startedAt", "raisedAt",
      "lastSeenAt", "occurrences", "active", "acknowledged", "comments", "suppressed", "flapping") values ('${uuidv7()}', 'DOOR_OPEN',
      'WARNING', false, false, 'BOARD', '${essId}', now(), now(), now(), 1, ${active}, false, '[]', false, false)`)
  type Role = Parameters<FleetServer['as']>[0]
  async function counts(role: Role) {
    await new Promise((resolve) => setTimeout(resolve, keptMs + 100))
    const { status, body } = await server.call('GET', 'menu/counts', { token: await server.as(role) })
    expect(status).toBe(200)
    return menuCountsSchema.parse(body)
  }
  async function total(role: Role, path: string) {
    const { headers, status } = await server.call('GET', `${path}&_end=1`, { token: await server.as(role) })
    expect(status).toBe(200)
    return Number(headers['x-total-count'])
  }
  const open = 'active=true&suppressed=false&snoozed=false'

  it('are the totals of the lists behind the entries, and of the tab that the inbox opens with', async () => {
    const found = await counts('admin')
    expect(found).toMatchObject({ 'telemetry-warning': 3, inbox: 3 })
    expect(found).toEqual({
      'telemetry-warning': await total('admin', `telemetry-warning?${open}`),
      'firmware-update': await total('admin', 'firmware-update?finishedAt_null=true'),
      rollout: await total('admin', 'rollout?status=RUNNING&status=PAUSED'),
      invitation: await total('admin', 'invitation?state=PENDING'),
      'undelivered-message': await total('admin', 'undelivered-message?state=FAILED'),
      inbox: await total('admin', `telemetry-warning?${open}&assigneeId_null=true`),
    })
  })

  it('are of the lists that a role may open, and the inbox of an engineer is of what he serves', async () => {
    const found = await counts('service_engineer')
    expect(Object.keys(found).toSorted()).toEqual(['firmware-update', 'inbox', 'telemetry-warning'])
    const own = await total('service_engineer', `telemetry-warning?${open}&assigneeId_null=true&served=true`)
    expect([found.inbox, own]).toEqual([1, 1])
    expect(await counts('client')).toEqual({})
    expect(await counts('installer')).toEqual({})
    expect((await server.call('GET', 'menu/counts')).status).toBe(401)
  })

  it('follow a change within a second', async () => {
    const before = await counts('admin')
    const [warning] = await server.rows<{ id: string }>(`select "id" from "telemetry_warning" where "active" limit 1`)
    const { status } = await server.call('PUT', `telemetry-warning/${warning?.id}/take`, {
      token: await server.as('admin'),
      body: {},
    })
    expect(status).toBe(200)
    const after = await counts('admin')
    expect(after.inbox).toBe((before.inbox ?? 0) - 1)
    expect(after['telemetry-warning']).toBe(before['telemetry-warning'])
  })
})
