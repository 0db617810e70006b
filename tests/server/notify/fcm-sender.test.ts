import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { ConfigError } from '#server/base/config.ts'
import { readFcmAccount } from '#server/notify/fcm-account.ts'
import { FcmSender } from '#server/notify/fcm-sender.ts'
import { fcmError, GoogleStub } from '#tests/support/google-stub.ts'

const google = await new GoogleStub().open()
const ok = { status: 200, body: { name: 'projects/fleet/messages/1' } }
const target = { deviceId: 'd1', userId: 'u1', pushId: 'push-1', language: 'ru' } as const
const note = { id: 'n1', title: ['Cell', 'Ячейка'], body: ['Too hot', 'Перегрев'], link: '/ess/1' } as const
const senderWith = (change: Partial<typeof google.account> = {}, publicUrl = 'https://console.example') =>
  new FcmSender({ account: { ...google.account, ...change }, publicUrl, baseUrl: google.origin })
const send = (sender = senderWith(), ms = 2_000) => sender.send(target, note, AbortSignal.timeout(ms))

beforeEach(() => {
  google.received.length = 0
  google.answers = [ok]
})
afterAll(() => google.close())

it('sends a signed statement for a token, then the note in the language of its reader', async () => {
  expect(await send()).toBe('sent')
  const texts = { title: 'Ячейка', body: 'Перегрев' }
  expect(google.received).toEqual([
    {
      message: {
        token: 'push-1',
        notification: texts,
        data: { id: 'n1', ...texts, tone: 'info', link: '/ess/1' },
        webpush: { fcmOptions: { link: 'https://console.example/ess/1' } },
      },
    },
  ])
})

it('leaves the address out where it is not one that the service takes', async () => {
  await send(senderWith({}, 'http://localhost:8080'))
  expect(google.received[0]?.message.webpush).toBeUndefined()
})

it('asks for one token however many messages wait for it, and keeps it', async () => {
  const sender = senderWith()
  const before = google.tokensGiven
  expect(await Promise.all(Array.from({ length: 10 }, () => send(sender)))).toEqual(Array(10).fill('sent'))
  expect(await send(sender)).toBe('sent')
  expect(google.tokensGiven - before).toBe(1)
})

it('gets another token when the one it has is refused', async () => {
  const sender = senderWith()
  await send(sender)
  await send(senderWith())
  expect([await send(sender), await send(sender)]).toEqual(['retry', 'sent'])
})

it('sends nothing with a key that is not the account’s', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  expect(await send(senderWith({ private_key }))).toBe('retry')
  expect(google.refused).toHaveLength(1)
  expect(google.received).toEqual([])
})

it.each([
  ['gone', fcmError(404, 'UNREGISTERED')],
  ['gone', { status: 410 }],
  ['rejected', { status: 404 }],
  ['rejected', fcmError(400, 'INVALID_ARGUMENT')],
  ['rejected', fcmError(403, 'SENDER_ID_MISMATCH')],
  ['retry', fcmError(429, 'QUOTA_EXCEEDED')],
  ['retry', fcmError(503, 'UNAVAILABLE')],
  ['retry', { status: 500, body: 'not what we know' }],
])('calls a device %s when the service says so', async (result, answer) => {
  google.answers = [answer]
  expect(await send()).toBe(result)
})

it('gives up when the service takes too long, or is away', async () => {
  google.answers = [{ ...ok, delayMs: 500 }]
  const sender = senderWith()
  expect(await send(sender, 100)).toBe('retry')
  expect(
    await new FcmSender({ account: google.account, publicUrl: '', baseUrl: 'http://127.0.0.1:1' }).send(
      target,
      note,
      AbortSignal.timeout(500),
    ),
  ).toBe('retry')
})

it('reads the file of a service account, and says without its content why it can not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fcm-'))
  const file = join(folder, 'account.json')
  writeFileSync(file, JSON.stringify({ ...google.account, token_uri: undefined, other: 1 }))
  expect(readFcmAccount(file)).toEqual({ ...google.account, token_uri: 'https://oauth2.googleapis.com/token' })
  writeFileSync(file, '{"private_key": "PRIVATE KEY of mine"}')
  expect(() => readFcmAccount(file)).toThrow(ConfigError)
  expect(() => readFcmAccount(file)).toThrow('project_id, client_email')
  expect(() => readFcmAccount(file)).not.toThrow('of mine')
  expect(() => readFcmAccount(join(folder, 'none'))).toThrow('FCM_SERVICE_ACCOUNT')
  rmSync(folder, { recursive: true })
})
