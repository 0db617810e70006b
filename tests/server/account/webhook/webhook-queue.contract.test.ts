import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebhookQueue } from '#server/account/webhook/webhook-queue.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { shortTimes, type TestHook, WebhookServer } from '#tests/support/webhook-server.ts'

describe.each(oneEngine(import.meta.filename))('the queue of webhooks on $name', (engine) => {
  let server: WebhookServer
  beforeAll(async () => {
    // Its own queue looks at nothing by itself.
    server = await WebhookServer.open(engine, {}, { everyMs: 3_600_000 })
  })
  afterAll(() => server.close())

  it('starts no delivery when it is closed while it looks for due ones', async () => {
    const hooks: TestHook[] = []
    for (let count = 0; count < 3; count += 1) hooks.push(await server.hook())
    await server.happen()
    for (const hook of hooks) await server.settled(hook, 1)
    const queue = new WebhookQueue(server.context, shortTimes)
    await server.rows(`update "webhook_delivery" set "state" = 'WAITING', "dueAt" = '2020-01-01', "attempts" = 1`)
    void queue.work()
    await queue.close()
    const rest = async () => server.rows(`select distinct "attempts" from "webhook_delivery"`)
    expect(await rest()).toEqual([{ attempts: 1 }])
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await rest()).toEqual([{ attempts: 1 }])
  })
})
