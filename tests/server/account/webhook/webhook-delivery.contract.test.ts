import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { retryDelaysMs } from '#server/account/webhook/webhook-queue.ts'
import { engines } from '#tests/support/databases.ts'
import { WebhookReceiver } from '#tests/support/webhook-receiver.ts'
import { WebhookServer } from '#tests/support/webhook-server.ts'

const hourMs = 3_600_000

describe.each(engines)('a message of a webhook on $name', (engine) => {
  let server: WebhookServer
  beforeAll(async () => {
    server = await WebhookServer.open(engine)
  })
  afterAll(() => server.close())

  it('is signed so that the library of Standard Webhooks takes it, and says what happened and nothing of its values', async () => {
    const hook = await server.hook()
    const id = await server.happen()
    const { id: delivery } = await server.settled(hook, 1)
    const [message] = hook.receiver.received
    if (!message) throw new Error('nothing came')
    expect(message.headers['webhook-id']).toBe(delivery)
    expect(message.headers['content-type']).toBe('application/json')
    expect(WebhookReceiver.read(hook.secret, message)).toEqual({
      type: 'record.created',
      timestamp: expect.stringMatching(/^20\d\d-.*Z$/),
      data: { resource: 'control-pcb', id, version: 1 },
    })
    const other = { ...message, body: message.body.replace('"version":1', '"version":2') }
    expect(() => WebhookReceiver.read(hook.secret, other)).toThrow('No matching signature')
    expect(await server.delivery(delivery)).toMatchObject({ state: 'DELIVERED', statusCode: 204, dueAt: null, failure: null })
    expect(await server.webhook(hook)).toMatchObject({ failures: 0, lastSuccessAt: expect.any(String), waiting: 0 })
  })

  it('comes again with growing delays until it is taken, always under one id and with the same bytes', async () => {
    const hook = await server.hook()
    hook.receiver.replies = [{ status: 500, body: 'sick' }, { status: 503 }, { status: 200 }]
    await server.happen()
    for (const [index, delayMs] of [5_000, 60_000].entries()) {
      const failed = await server.settled(hook, index + 1)
      expect(failed).toMatchObject({ state: 'WAITING', failure: 'STATUS' })
      const waitMs = Date.parse(String(failed.dueAt)) - Date.parse(String(failed.lastAttemptAt))
      expect(waitMs).toBeGreaterThanOrEqual(delayMs)
      expect(waitMs).toBeLessThanOrEqual(delayMs * 1.1 + 1)
      expect(await server.webhook(hook)).toMatchObject({ failures: index + 1, failingSince: expect.any(String), waiting: 1 })
      await server.comeDue(hook)
    }
    expect(await server.settled(hook, 3)).toMatchObject({ state: 'DELIVERED', statusCode: 200 })
    expect(hook.receiver.received).toHaveLength(3)
    expect(new Set(hook.receiver.ids).size).toBe(1)
    expect(new Set(hook.receiver.received.map(({ body }) => body)).size).toBe(1)
    for (const message of hook.receiver.received) WebhookReceiver.read(hook.secret, message)
    expect(await server.webhook(hook)).toMatchObject({ failures: 0, failingSince: null })
  })

  it('is given up after attempts of a day, and leaves again under the same id when an admin sends it again', async () => {
    const dayMs = retryDelaysMs.reduce((sum, delayMs) => sum + delayMs, 0)
    expect(dayMs).toBeGreaterThanOrEqual(24 * hourMs)
    expect(dayMs).toBeLessThanOrEqual(26 * hourMs)
    const hook = await server.hook()
    hook.receiver.replies = [{ status: 500 }]
    await server.happen()
    for (let attempt = 1; attempt <= retryDelaysMs.length; attempt += 1) {
      await server.settled(hook, attempt)
      await server.comeDue(hook)
    }
    const last = await server.settled(hook, retryDelaysMs.length + 1)
    expect(last).toMatchObject({ state: 'FAILED', dueAt: null, statusCode: 500 })
    hook.receiver.replies = [{ status: 200 }]
    await server.admin('PUT', `webhook-delivery/${last.id}/send-again`)
    await expect.poll(() => server.stateOf(hook)).toEqual(['DELIVERED'])
    expect(new Set(hook.receiver.ids)).toEqual(new Set([last.id]))
    const trail = await server.rows(`select "action" from "auditLog" where "entityId" = '${last.id}'`)
    expect(trail).toEqual([{ action: 'send-again' }])
  })

  it('is over after its time when no answer comes, and leaves those of other receivers alone', async () => {
    const [slow, quick] = [await server.hook(), await server.hook()]
    slow.receiver.replies = [{ status: 200, delayMs: 5_000 }]
    const started = performance.now()
    for (let count = 0; count < 12; count += 1) await server.happen()
    await expect.poll(() => quick.receiver.received.length).toBe(12)
    // Twelve that wait for each other would take three times the limit of 300 ms.
    expect(performance.now() - started).toBeLessThan(5_000)
    expect(await server.settled(slow, 1)).toMatchObject({ state: 'WAITING', failure: 'TIMEOUT', statusCode: null })
  })

  it('is over after its time when the answer begins and never ends', async () => {
    const hook = await server.hook()
    hook.receiver.replies = [{ status: 200, isEndless: true }]
    await server.happen()
    expect(await server.settled(hook, 1)).toMatchObject({ state: 'WAITING', failure: 'TIMEOUT' })
  })

  it('follows no redirect', async () => {
    const [hook, elsewhere] = [await server.hook(), await server.receiver()]
    hook.receiver.replies = [{ status: 307, headers: { location: elsewhere.url } }]
    await server.happen()
    expect(await server.settled(hook, 1)).toMatchObject({ failure: 'REDIRECT', statusCode: 307 })
    expect(elsewhere.received).toEqual([])
  })

  it('keeps a kilobyte of the answer, without control characters', async () => {
    const hook = await server.hook()
    hook.receiver.replies = [{ status: 500, body: `a\u0000\u001b[31mb${'x'.repeat(100_000)}` }]
    await server.happen()
    const { response } = await server.settled(hook, 1)
    expect(response).toMatch(/^a\[31mbx+$/)
    expect(String(response).length).toBeLessThanOrEqual(1024)
  })

  it('waits while its receiver is away, and says so', async () => {
    const hook = await server.hook()
    await hook.receiver.close()
    await server.happen()
    expect(await server.settled(hook, 1)).toMatchObject({
      state: 'WAITING',
      failure: 'UNREACHABLE',
      failureText: expect.stringContaining('ECONNREFUSED'),
    })
    await hook.receiver.open()
    await server.comeDue(hook)
    expect(await server.settled(hook, 2)).toMatchObject({ state: 'DELIVERED' })
  })

  it('is not written when the change that it tells of is taken back', async () => {
    const hook = await server.hook()
    const answer = await server.asAdmin('POST', 'control-pcb', { code: 'PCB-1', uid: 'not a uid', hardwareRevision: 'A1' })
    expect(answer.status).toBe(400)
    expect(await server.deliveries(hook)).toEqual([])
  })
})
