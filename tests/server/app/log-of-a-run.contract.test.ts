import { type ChildProcess, spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { embeddedFolder } from '#tests/support/databases.ts'
import { serverProgram } from '#tests/support/server-process.ts'

const admin = { email: 'admin@example.com', password: 'tiny-otter-waves-42' }
const person = { email: 'petra@example.com', password: 'quiet-river-stones-7', next: 'amber-lantern-roof-8' }
const wrong = 'not-the-password-at-all'
const misspeltToken = 'a-token-that-nobody-reads'
const uid = '001A00C0FFEE'
const pushId = `push-${'p'.repeat(60)}`

let dataDir: string
let child: ChildProcess
let url = ''
let log = ''

beforeAll(async () => {
  dataDir = await embeddedFolder()
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: '0',
    DEMO: '0',
    LOG_LEVEL: 'debug',
    METRIC_TOKEN: misspeltToken,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  }
  child = spawn(process.execPath, serverProgram, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const read = (chunk: Buffer) => {
    log += chunk.toString()
  }
  child.stdout?.on('data', read)
  child.stderr?.on('data', read)
  url = await vi.waitUntil(() => /ESS console at (http:\/\/[\d.:]+)/.exec(log)?.[1], { timeout: 60_000 })
}, 90_000)
afterAll(async () => {
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await gone
  await rm(dataDir, { recursive: true, force: true })
})

async function call(method: string, path: string, { token, body }: { token?: string; body?: object } = {}) {
  const headers = { ...(token && { authorization: `Bearer ${token}` }), ...(body && { 'content-type': 'application/json' }) }
  const answer = await fetch(`${url}/api/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const text = await answer.text()
  const parsed: Record<string, unknown> = /^\{/.test(text) ? JSON.parse(text) : {}
  return { status: answer.status, body: parsed, text }
}

const signIn = async (email: string, password: string) => {
  const { body } = await call('POST', 'auth/login', { body: { email, password } })
  return { token: String(body.accessToken), userId: String(Object(body.user).id) }
}

/** The token in the newest letter to a recipient. */
async function letterTo(email: string, path: string, token: string): Promise<string> {
  const found = async () => {
    const mails = JSON.parse((await call('GET', 'outbox', { token })).text).mails as { id: string; to: string }[]
    const links = await Promise.all(
      mails
        .filter(({ to }) => to === email)
        .map(async ({ id }) => String((await call('GET', `outbox/${id}`, { token })).body.link)),
    )
    return links.find((link) => link.includes(path))?.split('#token=')[1] ?? ''
  }
  await expect.poll(found, { timeout: 10_000 }).toHaveLength(43)
  return found()
}

it('what people and boards keep secret is in no line of the log, at its most talkative', async () => {
  await call('POST', 'auth/login', { body: { email: admin.email, password: wrong } })
  const { token } = await signIn(admin.email, admin.password)
  const facts = { email: person.email, role: 'moderator', firstName: 'Petra', lastName: 'Person' }
  expect((await call('POST', 'user', { token, body: facts })).status).toBe(201)
  const invitation = await letterTo(person.email, '/register/complete', token)
  const names = { firstName: 'Petra', lastName: 'Person' }
  const registered = await call('PUT', 'user/register/complete', {
    body: { token: invitation, password: person.password, ...names },
  })
  expect(registered.status).toBe(200)
  const petra = await signIn(person.email, person.password)
  const passwords = { oldPassword: person.password, password: person.next }
  await call('PUT', `user/${petra.userId}/password`, { token: petra.token, body: passwords })
  await call('POST', 'user/restore-password', { body: { email: person.email } })
  const restore = await letterTo(person.email, '/restore-password', token)
  const restored = await call('PUT', 'user/restore-password/complete', { body: { token: restore, password: person.password } })
  expect(restored.status).toBe(200)
  const device = { isDebug: false, platform: 'web', pushId }
  expect((await call('POST', 'device', { token, body: device })).status).toBe(201)
  await call('POST', 'device/test', { token, body: { pushId } })
  const made = await call('POST', 'control-pcb', { token, body: { code: `PCB-${uid}`, uid, hardwareRevision: 'B1' } })
  const key = String((await call('POST', `control-pcb/${made.body.id}/device-key`, { token })).body.deviceKey)
  const frame = telemetryFrame({}, { seq: 1, time: new Date(), uid })
  const headers = { 'content-type': 'application/octet-stream', 'x-device-key': key }
  expect((await fetch(`${url}/api/ingest`, { method: 'POST', headers, body: new Uint8Array(frame) })).status).toBe(202)
  await call('GET', `ess?q=${encodeURIComponent(person.email)}`, { token: `${token}x` })
  await call('POST', 'auth/logout', { token })

  for (const path of ['auth/login', 'user/register/complete', 'restore-password/complete', 'device-key', 'ingest'])
    expect(log, path).toContain(
      `/api/${path}`.replace('/api/restore', '/api/user/restore').replace('/api/device-key', '/device-key'),
    )
  const secrets = {
    wrong,
    password: admin.password,
    own: person.password,
    next: person.next,
    token,
    invitation,
    restore,
    pushId,
    key,
  }
  for (const [name, secret] of Object.entries(secrets)) {
    expect([name, secret.length > 12]).toEqual([name, true])
    expect([name, log.includes(secret)]).toEqual([name, false])
  }
}, 90_000)

it('a misspelt setting is in the log by its name, with the one that is meant, and without its value', () => {
  expect(log).toContain('METRIC_TOKEN is not a setting and has no effect; did you mean METRICS_TOKEN?')
  expect(log).not.toContain(misspeltToken)
})
