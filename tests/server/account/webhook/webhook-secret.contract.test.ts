import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fleetStaff } from '#schema/roles.ts'
import { sealSecrets } from '#server/account/factor/seal-secrets.ts'
import { secretsOf } from '#server/account/webhook/webhook-secrets.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { WebhookServer } from '#tests/support/webhook-server.ts'

const key = 'a key of this test, long enough for it'

describe.each(oneEngine(import.meta.filename))('webhooks on $name', (engine) => {
  let server: WebhookServer
  beforeAll(async () => {
    server = await WebhookServer.open(engine, { SECRETS_KEY: key })
  })
  afterAll(() => server.close())

  it('show a secret in one answer and nowhere else: not in records, deliveries, the audit log or readable in the database', async () => {
    const hook = await server.hook()
    expect(hook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    await server.happen()
    await server.settled(hook, 1)
    const told = [
      await server.admin('GET', 'webhook'),
      await server.webhook(hook),
      await server.deliveries(hook),
      await server.settled(hook, 1),
      await server.rows('select * from "auditLog"'),
      await server.rows('select * from "event"'),
      await server.rows('select * from "webhookSecret"'),
      await server.rows('select * from "webhook_delivery"'),
      await server.rows('select * from "idempotencyKey"').catch(() => []),
    ]
    for (const one of told) {
      expect(JSON.stringify(one)).not.toContain(hook.secret)
      expect(JSON.stringify(one)).not.toContain(hook.secret.slice('whsec_'.length))
    }
    expect(await server.rows(`select "secret" from "webhookSecret" where "webhookId" = '${hook.id}'`)).toEqual([
      { secret: expect.stringMatching(/^v1\./) },
    ])
  })

  it('have secrets sealed for each: moved to another one it does not open, and nothing leaves without one', async () => {
    const [hook, other] = [await server.hook(), await server.hook()]
    await server.rows(`update "webhookSecret" set "secret" = (select "secret" from "webhookSecret" where "webhookId" = '${other.id}')
      where "webhookId" = '${hook.id}'`)
    await server.happen()
    expect(await server.settled(hook, 1)).toMatchObject({ state: 'WAITING', failure: 'SECRET' })
    expect(hook.receiver.received).toEqual([])
  })

  it('have secrets that the start seals, as those of an earlier setting', async () => {
    const hook = await server.hook()
    const { database, context } = server
    const plain = { webhookId: hook.id, now: new Date(), config: context.config }
    await server.rows(`update "webhookSecret" set "secret" = '${hook.secret}' where "webhookId" = '${hook.id}'`)
    await sealSecrets(context)
    expect(await server.rows(`select "secret" from "webhookSecret" where "webhookId" = '${hook.id}'`)).toEqual([
      { secret: expect.stringMatching(/^v1\./) },
    ])
    expect(await secretsOf(database.kysely, plain)).toEqual([hook.secret])
  })

  it('ask an admin for a fresh confirmation before a secret, a new one or another address', async () => {
    const hook = await server.hook()
    const { version } = await server.webhook(hook)
    await server.rows(`update "session" set "confirmedAt" = now() - interval '1 day'`)
    const refusals = [
      await server.asAdmin('POST', `webhook/${hook.id}/secret`),
      await server.asAdmin('PUT', `webhook/${hook.id}`, { url: 'https://elsewhere.example.com/', version }),
      await server.asAdmin('POST', 'webhook', { name: 'New', url: hook.receiver.url, events: ['warning.raised'] }),
    ]
    expect(refusals.map(({ body }) => body.code)).toEqual(Array(3).fill('confirmation-needed'))
    await server.rows(`update "session" set "confirmedAt" = now()`)
  })

  it('are for admins: others see none and change none', async () => {
    const hook = await server.hook()
    await server.happen()
    const { id } = await server.settled(hook, 1)
    for (const role of [...fleetStaff.filter((one) => one !== 'admin'), 'client', 'installer'] as const) {
      const { token } = await server.signedIn({ email: `${role}@other.example`, role })
      const statuses = await Promise.all(
        (
          [
            ['GET', 'webhook'],
            ['GET', `webhook/${hook.id}`],
            ['GET', 'webhook-delivery'],
            ['GET', `webhook-delivery/${id}`],
            ['POST', `webhook/${hook.id}/secret`],
            ['POST', `webhook/${hook.id}/test`],
            ['PUT', `webhook/${hook.id}/pause`],
            ['PUT', `webhook-delivery/${id}/send-again`],
            ['DELETE', `webhook/${hook.id}`],
          ] as const
        ).map(async ([method, path]) => (await server.call(method, path, { token })).status),
      )
      expect([role, ...statuses]).toEqual([role, ...Array(9).fill(403)])
    }
  })

  it('name the field of an address that is refused, by its path and as the form does', async () => {
    const { status, body } = await server.asAdmin('POST', 'webhook', {
      name: 'Inside',
      url: 'http://10.0.0.1/',
      events: ['warning.raised'],
    })
    const why = expect.stringMatching(/^This address is not public/)
    expect([status, body.fields, body.message]).toEqual([400, { url: why }, [expect.stringMatching(/^Address: This address/)]])
  })
})
