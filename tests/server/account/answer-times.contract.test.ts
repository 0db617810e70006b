import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPasswords, usualCost } from '#server/account/session/password.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { goodPassword, openPeopleServer, type PeopleServer } from '#tests/support/people-server.ts'

const rounds = 50
/** Difference in time that fifty tries over a network cannot tell apart; less where the hidden work takes less. */
const boundMs = 20
/** Dearer than usual, so that leaving a check out could not be overlooked. */
const cost = { ...usualCost, passes: 6 }
const passwords = createPasswords(cost)

const whos = ['active', 'nobody', 'locked', 'deleted', 'invited'] as const
type Who = (typeof whos)[number]
const emailOf = (who: Who) => `${who}@example.com`

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Everything of an answer but what is each one's own: its number and its moment. */
async function told(answer: Response): Promise<string> {
  const body = (await answer.text()).replace(/"requestId":"[^"]*"/, '"requestId":""')
  const headers = [...answer.headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
  return JSON.stringify([answer.status, headers.toSorted(), body])
}

describe.each(oneEngine(import.meta.filename))('the answers to a stranger on $name', (engine) => {
  let server: PeopleServer
  let url = ''
  beforeAll(async () => {
    server = await openPeopleServer(engine, {}, cost)
    url = await server.app.listen({ port: 0, host: '127.0.0.1' })
    for (const who of whos)
      if (who !== 'nobody')
        await server.addUser({ email: emailOf(who), role: 'client', ...(who === 'invited' ? { password: null } : {}) })
    await server.rows(`update "credential" set "passwordHash" = '${await passwords.hash(goodPassword)}'`)
    for (const who of ['locked', 'deleted'] as const)
      await server.rows(`update "user" set "${who}At" = now() where "email" = '${emailOf(who)}'`)
  })
  afterAll(() => server.close())

  const post = (path: string, body: object) =>
    fetch(`${url}/api/${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

  /**
   * Asks for each in turn, every round in another order, and compares within the rounds: whatever else the machine does meets all
   * alike. The clock passes on between two rounds, so that no limit is reached.
   */
  async function compared(ask: (who: Who) => Promise<Response>, passS: number) {
    const answers = new Set<string>()
    const took: Record<Who, number>[] = []
    for (const who of whos) await (await ask(who)).text()
    for (let round = 0; round < rounds; round++) {
      server.pass(passS)
      const times = { active: 0, nobody: 0, locked: 0, deleted: 0, invited: 0 }
      for (const place of whos.keys()) {
        const who = whos[(place + round) % whos.length] ?? 'nobody'
        const from = performance.now()
        const answer = await ask(who)
        times[who] = performance.now() - from
        answers.add(await told(answer))
      }
      took.push(times)
    }
    const beyond = whos.map((who) => median(took.map((times) => times[who] - median(Object.values(times)))))
    const usualMs = median(took.flatMap((times) => Object.values(times)))
    return { answers: [...answers], usualMs, apartMs: Math.max(...beyond) - Math.min(...beyond) }
  }

  /** How long one check of a password takes at this moment. */
  async function checkMs(): Promise<number> {
    const stored = await passwords.hash(goodPassword)
    const took: number[] = []
    for (let time = 0; time < 9; time++) {
      const from = performance.now()
      await passwords.verify(stored, 'not-the-password-1')
      took.push(performance.now() - from)
    }
    return Math.min(...took)
  }

  it('to a sign-in are one and the same, and take the same time', async () => {
    const signIn = (who: Who) => post('auth/login', { email: emailOf(who), password: 'not-the-password-1' })
    const { answers, apartMs } = await compared(signIn, 16 * 60)
    expect(answers).toHaveLength(1)
    expect(answers[0]).toContain('E-mail or password is wrong')
    expect(apartMs).toBeLessThan(Math.min(boundMs, (await checkMs()) / 2))
  }, 120_000)

  it('to anyone who asks for a new password are one and the same, and take the same time', async () => {
    const restore = (who: Who) => post('user/restore-password', { email: emailOf(who) })
    const { answers, usualMs, apartMs } = await compared(restore, 61 * 60)
    expect(answers).toHaveLength(1)
    expect(answers[0]).toMatch(/^\[202,/)
    expect(apartMs).toBeLessThan(Math.min(boundMs, usualMs / 2))
    await server.linkTo(emailOf('active'))
    expect(new Set((await server.mails()).map(({ to }) => to))).toEqual(new Set([emailOf('active')]))
  }, 120_000)
})
