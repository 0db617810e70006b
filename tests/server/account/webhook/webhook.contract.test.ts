import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from '#tests/support/databases.ts'
import { WebhookReceiver } from '#tests/support/webhook-receiver.ts'
import { WebhookServer } from '#tests/support/webhook-server.ts'

describe.each(engines)('a webhook on $name', (engine) => {
  let server: WebhookServer
  beforeAll(async () => {
    server = await WebhookServer.open(engine)
  })
  afterAll(() => server.close())

  it('pauses when its receiver is gone, and tells the admins once', async () => {
    await server.rows(
      `update "user" set "notificationPrefs" = '{"push": "CRITICAL", "email": "CRITICAL"}' where "role" = 'admin'`,
    )
    const hook = await server.hook()
    hook.receiver.replies = [{ status: 410 }]
    await server.happen()
    expect(await server.settled(hook, 1)).toMatchObject({ state: 'HELD', failure: 'GONE', dueAt: null })
    expect(await server.webhook(hook)).toMatchObject({ state: 'PAUSED', pausedBecause: 'GONE' })
    await server.happen()
    expect(await server.stateOf(hook)).toEqual(['HELD', 'HELD'])
    const notes = await server.rows<{ note: { title: string[]; link: string } }>(
      `select "note" from "event" where "userId" is not null and "note"->>'link' = '/webhook/${hook.id}'`,
    )
    expect(notes.map(({ note }) => note.title[0])).toEqual([expect.stringContaining('Webhook paused: Hook')])
    const mail = (await server.mails()).findLast(({ to }) => to === 'boss@example.com')
    expect(mail?.subject).toContain('Webhook paused: Hook')
    expect(mail?.text).toContain(`https://console.example/webhook/${hook.id}`)
    const trail = await server.rows(
      `select "actorId", "reason" from "auditLog" where "entityId" = '${hook.id}' and "action" = 'pause'`,
    )
    expect(trail).toEqual([{ actorId: null, reason: 'webhook.gone' }])
    hook.receiver.replies = [{ status: 200 }]
    await server.admin('PUT', `webhook/${hook.id}/resume`)
    await expect.poll(() => server.stateOf(hook)).toEqual(['DELIVERED', 'DELIVERED'])
    expect(await server.webhook(hook)).toMatchObject({ state: 'ACTIVE', pausedBecause: null, failures: 0 })
  })

  it('pauses after a day without a success', async () => {
    const hook = await server.hook()
    hook.receiver.replies = [{ status: 500 }]
    await server.happen()
    await server.settled(hook, 1)
    const since = (ago: string) =>
      server.rows(`update "webhook" set "failingSince" = now() - interval '${ago}' where "id" = '${hook.id}'`)
    await since('23 hours 59 minutes')
    await server.comeDue(hook)
    await server.settled(hook, 2)
    expect(await server.webhook(hook)).toMatchObject({ state: 'ACTIVE' })
    await since('24 hours')
    await server.comeDue(hook)
    await server.settled(hook, 3)
    expect(await server.webhook(hook)).toMatchObject({ state: 'PAUSED', pausedBecause: 'FAILING', failures: 3 })
    expect(await server.stateOf(hook)).toEqual(['HELD'])
  })

  it('sends nothing while it is paused, and everything that happened meanwhile once it is resumed', async () => {
    const hook = await server.hook()
    await server.admin('PUT', `webhook/${hook.id}/pause`)
    const ids = [await server.happen(), await server.happen()]
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(hook.receiver.received).toEqual([])
    expect(await server.webhook(hook)).toMatchObject({ state: 'PAUSED', pausedBecause: 'PERSON', waiting: 2 })
    await server.admin('PUT', `webhook/${hook.id}/resume`)
    await expect.poll(() => hook.receiver.received.length).toBe(2)
    const told = hook.receiver.received.map((message) => WebhookReceiver.read(hook.secret, message).data.id)
    expect(told.toSorted()).toEqual(ids.toSorted())
  })

  it('tells a held message with the time of its event, and gives up what is older than it may be', async () => {
    const hook = await server.hook()
    await server.admin('PUT', `webhook/${hook.id}/pause`)
    const [, late] = [await server.happen(), await server.happen()]
    const [first, second] = await server.deliveries(hook)
    const happenedAt = async (id: unknown, ago: string) =>
      server.rows(`update "webhook_delivery" set "createdAt" = now() - interval '${ago}',
        "body" = jsonb_set("body"::jsonb, '{timestamp}', to_jsonb(now() - interval '${ago}'))::text where "id" = '${id}'`)
    await happenedAt(first?.id, '73 hours')
    await happenedAt(second?.id, '71 hours')
    await server.admin('PUT', `webhook/${hook.id}/resume`)
    await expect.poll(() => server.stateOf(hook)).toEqual(['FAILED', 'DELIVERED'])
    expect(await server.delivery(String(first?.id))).toMatchObject({ failure: 'OUTDATED', dueAt: null, attempts: 0 })
    const [message, ...others] = hook.receiver.received
    if (!message) throw new Error('nothing came')
    const { data, timestamp } = WebhookReceiver.read(hook.secret, message)
    expect([others, data.id]).toEqual([[], late])
    const lateS = Number(message.headers['webhook-timestamp']) - Date.parse(timestamp) / 1000
    expect(lateS).toBeCloseTo(71 * 3_600, -2)
    await server.admin('PUT', `webhook-delivery/${first?.id}/send-again`)
    await expect.poll(() => server.stateOf(hook)).toEqual(['DELIVERED', 'DELIVERED'])
  })

  it('sends a test at once, also before it is started, and tries it once', async () => {
    const hook = await server.hook({ isPaused: true })
    hook.receiver.replies = [{ status: 500 }, { status: 200 }]
    const first = await server.admin<{ id: string }>('POST', `webhook/${hook.id}/test`)
    expect(await server.settled(hook, 1)).toMatchObject({
      id: first.id,
      event: 'webhook.test',
      state: 'FAILED',
      statusCode: 500,
    })
    expect(await server.webhook(hook)).toMatchObject({ state: 'PAUSED', failures: 0 })
    const second = await server.admin<{ id: string }>('POST', `webhook/${hook.id}/test`)
    await expect.poll(async () => (await server.delivery(second.id)).state).toBe('DELIVERED')
    const message = hook.receiver.received[1]
    expect(message && WebhookReceiver.read(hook.secret, message)).toMatchObject({
      type: 'webhook.test',
      data: { webhookId: hook.id },
    })
  })

  it('signs by the former secret for a day beside the new one', async () => {
    const hook = await server.hook()
    const { secret } = await server.admin<{ secret: string }>('POST', `webhook/${hook.id}/secret`)
    expect(secret).not.toBe(hook.secret)
    await server.happen()
    await server.settled(hook, 1)
    const [both] = hook.receiver.received
    if (!both) throw new Error('nothing came')
    expect(String(both.headers['webhook-signature']).split(' ')).toHaveLength(2)
    expect(WebhookReceiver.read(secret, both)).toEqual(WebhookReceiver.read(hook.secret, both))
    const rest = await server.rows<{ rest: number }>(
      `select extract(epoch from "until" - now())::int4 as "rest" from "webhookSecret" where "webhookId" = '${hook.id}' and "until" is not null`,
    )
    expect(rest).toEqual([{ rest: expect.closeTo(86_400, -2) }])
    await server.rows(`update "webhookSecret" set "until" = now() where "webhookId" = '${hook.id}' and "until" is not null`)
    await server.happen()
    await expect.poll(() => hook.receiver.received.length).toBe(2)
    const [, one] = hook.receiver.received
    if (!one) throw new Error('nothing came')
    WebhookReceiver.read(secret, one)
    expect(() => WebhookReceiver.read(hook.secret, one)).toThrow('No matching signature')
  })

  it('can be edited while messages leave: their count is no change of its version', async () => {
    const hook = await server.hook()
    const { version } = await server.webhook(hook)
    await server.happen()
    await server.settled(hook, 1)
    expect(await server.asAdmin('PUT', `webhook/${hook.id}`, { name: 'Renamed', version })).toMatchObject({ status: 200 })
  })

  it('takes its deliveries and secrets along when it is deleted', async () => {
    const hook = await server.hook()
    await server.happen()
    await server.settled(hook, 1)
    await server.admin('DELETE', `webhook/${hook.id}`)
    expect(await server.rows(`select 1 from "webhook_delivery" where "webhookId" = '${hook.id}'`)).toEqual([])
    expect(await server.rows(`select 1 from "webhookSecret" where "webhookId" = '${hook.id}'`)).toEqual([])
  })
})
