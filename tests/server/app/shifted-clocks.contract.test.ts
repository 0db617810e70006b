import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from '#tests/support/databases.ts'
import { postgresUrl } from '#tests/support/postgres.ts'
import { ServerProcess } from '#tests/support/server-process.ts'

const aheadMs = 10 * 60_000
const admin = { email: 'admin@example.com', password: 'tiny-otter-waves-42' }
type Session = { accessToken: string }
type Answer = { status: number; body: Session; retryAfter: string | null }

const onServer = engines.filter(({ name }) => name === 'PostgreSQL')

describe.runIf(postgresUrl()).each(onServer)('two servers whose clocks are ten minutes apart on $name', (engine) => {
  let right: ServerProcess
  let fast: ServerProcess
  beforeAll(async () => {
    right = await ServerProcess.on(engine)
    await right.start()
    fast = await right.beside()
    const file = join(fast.dataDir, 'clock')
    await writeFile(file, String(aheadMs))
    await fast.start({ NODE_OPTIONS: '--import ./tests/e2e/support/shifted-clock.mjs', CLOCK_AHEAD_FILE: file })
  }, 120_000)
  afterAll(async () => {
    await fast?.remove()
    await right?.remove()
  })

  async function post(server: ServerProcess, path: string, init: RequestInit): Promise<Answer> {
    const answer = await fetch(`${server.url}/api/${path}`, { method: 'POST', ...init })
    const text = await answer.text()
    const parsed: Answer['body'] = JSON.parse(text || '{}')
    return { status: answer.status, body: parsed, retryAfter: answer.headers.get('retry-after') }
  }
  const signIn = (server: ServerProcess, body: object) =>
    post(server, 'auth/login', { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const renew = (server: ServerProcess, { accessToken }: Session) =>
    post(server, 'auth/refresh', { headers: { authorization: `Bearer ${accessToken}` } })
  const reads = async (server: ServerProcess, { accessToken }: Session) =>
    (await fetch(`${server.url}/api/auth/me`, { headers: { authorization: `Bearer ${accessToken}` } })).status

  it('keep a session whose token one renews and the other takes, whichever came first', async () => {
    for (const [first, second] of [
      [right, fast],
      [fast, right],
    ] as const) {
      const { body: session } = await signIn(first, admin)
      expect(await reads(second, session)).toBe(200)
      const { body: renewed } = await renew(first, session)
      await sleep(1_000)
      // The same token again within the half minute of grace is a lost answer, not a thief.
      const again = await renew(second, session)
      expect(again.status).toBe(200)
      expect(await reads(second, renewed)).toBe(200)
      expect(await reads(first, again.body)).toBe(200)
    }
  })

  it('date what they write alike', async () => {
    const made = await Promise.all(
      [right, fast].map((server, index) => {
        const uid = `002C0000000${index}`
        const facts = { code: `PCB-${uid}`, uid, serialNumber: `SN${uid}`, hardwareRevision: 'B1', lifecycle: 'ACTIVE' }
        return server.call<{ createdAt: string }>('POST', 'control-pcb', facts)
      }),
    )
    const [one = 0, other = 0] = made.map(({ createdAt }) => Date.parse(createdAt))
    expect(Math.abs(one - other)).toBeLessThan(10_000)
  })

  it('count failed sign-ins together for the quarter of an hour that they promise', async () => {
    const wrong = { email: 'nobody@example.com', password: 'not-this-one-42' }
    for (const server of [fast, right, fast, right, fast]) expect((await signIn(server, wrong)).status).toBe(401)
    const refused = await signIn(right, wrong)
    expect(refused.status).toBe(429)
    expect(Number(refused.retryAfter)).toBeLessThanOrEqual(15 * 60)
    expect((await signIn(fast, wrong)).status).toBe(429)
  }, 60_000)
})
