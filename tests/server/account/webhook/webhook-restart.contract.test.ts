import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { pruneDeliveries } from '#server/account/webhook/prune-deliveries.ts'
import { engines, oneEngine } from '#tests/support/databases.ts'
import { ServerProcess } from '#tests/support/server-process.ts'
import { WebhookReceiver } from '#tests/support/webhook-receiver.ts'
import { WebhookServer } from '#tests/support/webhook-server.ts'

describe.each(engines)('messages of webhooks on $name', (engine) => {
  let server: ServerProcess
  let receiver: WebhookReceiver
  beforeAll(async () => {
    vi.stubEnv('WEBHOOK_NETWORKS', '127.0.0.1')
    receiver = await new WebhookReceiver().open()
    server = await ServerProcess.on(engine)
    await server.start()
  }, 90_000)
  afterAll(async () => {
    vi.unstubAllEnvs()
    await server.remove()
    await receiver.close()
  })

  it('outlive a kill of the server while their receiver is away: each comes, under the id that it has had', async () => {
    const { id } = await server.call<{ id: string }>('POST', 'webhook', {
      name: 'Desk',
      url: receiver.url,
      events: ['record.created'],
    })
    const { secret } = await server.call<{ secret: string }>('POST', `webhook/${id}/secret`)
    await server.call('PUT', `webhook/${id}/resume`)
    await receiver.close()
    const made: string[] = []
    for (let count = 1; count <= 6; count += 1) {
      const uid = `BC${String(count).padStart(10, '0')}`
      made.push(
        (await server.call<{ id: string }>('POST', 'control-pcb', { code: `PCB-${uid}`, uid, hardwareRevision: 'A1' })).id,
      )
    }
    type Row = { id: string; attempts: number; state: string }
    const deliveries = () => server.call<Row[]>('GET', `webhook-delivery?webhookId=${id}`)
    await expect.poll(async () => (await deliveries()).every(({ attempts }) => attempts > 0), { timeout: 10_000 }).toBe(true)
    const known = (await deliveries()).map((one) => one.id)
    await server.kill()
    await receiver.open()
    await server.start()
    await expect.poll(() => new Set(receiver.ids).size, { timeout: 60_000 }).toBe(6)
    await expect
      .poll(async () => (await deliveries()).every(({ state }) => state === 'DELIVERED'), { timeout: 10_000 })
      .toBe(true)
    expect([...new Set(receiver.ids)].toSorted()).toEqual(known.toSorted())
    const told = receiver.received.map((message) => WebhookReceiver.read(secret, message).data.id)
    expect([...new Set(told)].toSorted()).toEqual(made.toSorted())
  }, 120_000)

  it('come again under their id when the server is killed before it has written that they were taken', async () => {
    const { id } = await server.call<{ id: string }>('POST', 'webhook', {
      name: 'Slow',
      url: receiver.url,
      events: ['update.failed'],
    })
    await server.call('POST', `webhook/${id}/secret`)
    receiver.received.length = 0
    receiver.replies = [{ status: 200, delayMs: 3_000 }, { status: 200 }]
    await server.call('POST', `webhook/${id}/test`)
    await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBe(1)
    await server.kill()
    // As if the 40 seconds were over for which the dead process has claimed it.
    const database = await server.openDatabase()
    await sql`update "webhook_delivery" set "dueAt" = now() where "webhookId" = ${id}`.execute(database.kysely)
    await database.close()
    await server.start()
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(2)
    expect(new Set(receiver.ids).size).toBe(1)
  }, 120_000)
})

describe.each(oneEngine(import.meta.filename))('deliveries of webhooks on $name', (engine) => {
  let server: WebhookServer
  beforeAll(async () => {
    server = await WebhookServer.open(engine, { WEBHOOK_DELIVERIES_KEPT_DAYS: '7' })
  })
  afterAll(() => server.close())
  afterEach(() => server.rows('delete from "webhook_delivery"'))

  it('go by age, and secrets that sign no more go with them', async () => {
    const hook = await server.hook()
    await server.admin('POST', `webhook/${hook.id}/secret`)
    await server.happen()
    await server.settled(hook, 1)
    await server.happen()
    await expect.poll(() => server.stateOf(hook)).toEqual(['DELIVERED', 'DELIVERED'])
    const [old, young] = await server.deliveries(hook)
    await server.rows(`update "webhook_delivery" set "createdAt" = now() - interval '7 days 1 hour' where "id" = '${old?.id}'`)
    // The database rounds its time to the millisecond, and the process cuts it off: a moment from each is not in their order.
    const now = new Date()
    await server.rows(`update "webhookSecret" set "until" = '${now.toISOString()}' where "until" is not null`)
    await pruneDeliveries(server.context, now)
    expect((await server.deliveries(hook)).map(({ id }) => id)).toEqual([young?.id])
    expect(await server.rows(`select "until" from "webhookSecret" where "webhookId" = '${hook.id}'`)).toEqual([{ until: null }])
  })
})
