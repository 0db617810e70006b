import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { oneEngine } from '#tests/support/databases.ts'
import { goodPassword, openPeopleServer, type PeopleServer } from '#tests/support/people-server.ts'

const newPassword = 'verdigris-lamp-77'

describe.each(oneEngine(import.meta.filename))('passwords and addresses on $name', (engine) => {
  let server: PeopleServer
  let count = 0
  let adminId = ''
  let ip = ''
  beforeAll(async () => {
    server = await openPeopleServer(engine)
    adminId = await server.addUser({ email: 'admin@example.com', role: 'admin' })
  })
  afterAll(() => server.close())
  beforeEach(() => {
    count += 1
    ip = `198.51.100.${count}`
  })

  const put = (path: string, body: unknown) => server.call('PUT', `user/${path}`, { body, ip })

  describe('restoring a password', () => {
    const ask = (email: string, headers = {}) => server.call('POST', 'user/restore-password', { body: { email }, ip, headers })
    const known = async () => {
      const email = `forgetful-${count}@example.com`
      return { email, ...(await server.signedIn({ email, role: 'installer' })) }
    }
    const settled = () => new Promise((resolve) => setTimeout(resolve, 600))

    it('answers alike for known and unknown addresses and mails only the known, once in two minutes', async () => {
      const { email } = await known()
      const answers = [await ask(email), await ask(`nobody-${count}@example.com`), await ask(email)]
      expect(answers.map(({ status, text }) => [status, text])).toEqual(Array(3).fill([202, '{}']))
      await server.linkTo(email)
      await settled()
      const mails = await server.mails()
      expect(mails.filter(({ to }) => to === email)).toHaveLength(1)
      expect(mails.filter(({ to }) => to.startsWith('nobody'))).toHaveLength(0)
    })

    it('mails nothing to invited, locked and deleted accounts', async () => {
      for (const state of ['invited', 'locked', 'deleted'] as const) {
        const email = `${state}-${count}@example.com`
        await server.addUser({ email, role: 'client', ...(state === 'invited' ? { password: null } : {}) })
        if (state !== 'invited') await server.rows(`update "user" set "${state}At" = now() where "email" = '${email}'`)
        expect((await ask(email)).status).toBe(202)
      }
      await settled()
      expect(
        (await server.mails()).filter(({ to }) => /^(invited|locked|deleted)-/.test(to) && to.includes(`-${count}@`)),
      ).toEqual([])
    })

    it('ends every session, forgives failed tries, and works once within the hour', async () => {
      const { email, token: session } = await known()
      for (let time = 0; time < 5; time++) await server.login(email, 'wrong-password')
      expect((await server.login(email)).status).toBe(429)
      await ask(email, { host: 'evil.example', 'x-forwarded-host': 'evil.example' })
      const token = await server.linkTo(email, 'https://console.example/restore-password')
      expect((await put('restore-password/complete', { token, password: newPassword, userId: adminId })).status).toBe(400)
      expect((await put('restore-password/complete', { token, password: newPassword })).status).toBe(200)
      expect((await server.call('GET', 'auth/me', { token: session })).status).toBe(401)
      expect((await server.login(email, newPassword)).status).toBe(200)
      expect((await put('restore-password/complete', { token, password: 'another-otter-55' })).status).toBe(410)
      expect((await server.mails()).some(({ to, subject }) => to === email && subject === 'Your password was changed')).toBe(
        true,
      )
    })

    it('dies after an hour, and with a newer link', async () => {
      const { email } = await known()
      await ask(email)
      const first = await server.linkTo(email)
      server.pass(121)
      await ask(email)
      await settled()
      const second = await server.linkTo(email)
      expect(second).not.toBe(first)
      expect((await put('restore-password/complete', { token: first, password: newPassword })).status).toBe(410)
      server.pass(3_600)
      expect((await put('restore-password/complete', { token: second, password: newPassword })).status).toBe(410)
    })

    it('is refused to an address that asks twenty times an hour', async () => {
      for (let time = 0; time < 20; time++) expect((await ask(`anybody-${time}@example.com`)).status).toBe(202)
      expect((await ask('anybody@example.com')).status).toBe(429)
    })
  })

  it('slows down anyone who guesses secrets', async () => {
    const guess = () => put('cancel-delete', { token: 'A'.repeat(43) })
    for (let time = 0; time < 30; time++) expect((await guess()).status).toBe(410)
    expect((await guess()).status).toBe(429)
  })

  describe('changing the own address or password', () => {
    const known = async () => {
      const email = `mover-${count}@example.com`
      return { email, ...(await server.signedIn({ email, role: 'client' })) }
    }
    const change = (who: { id: string; token: string }, body: unknown, id = who.id) =>
      server.call('POST', `user/${id}/change-email`, { token: who.token, body })

    it('needs the password, mails the new address and tells the old one', async () => {
      const mover = await known()
      const email = `moved-${count}@example.com`
      expect((await change(mover, { email, password: 'wrong-password' })).body).toMatchObject({
        statusCode: 400,
        code: 'wrong-password',
      })
      expect((await change(mover, { email, password: goodPassword }, adminId)).status).toBe(403)
      const asked = await change(mover, { email, password: goodPassword })
      expect(asked).toMatchObject({ status: 200, body: { pendingEmail: email, email: mover.email } })
      const token = await server.linkTo(email, '/change-email/complete')
      expect((await server.mails()).some(({ to, text }) => to === mover.email && text.includes(email))).toBe(true)
      expect((await put('change-email/complete', { token })).body).toEqual({ email })
      expect((await server.call('GET', 'auth/me', { token: mover.token })).status).toBe(401)
      expect((await server.login(mover.email)).status).toBe(401)
      expect((await server.login(email)).status).toBe(200)
      expect((await put('change-email/complete', { token })).status).toBe(410)
    })

    it('says nothing of who has an address, counts what it was asked, and tells the one who has it', async () => {
      const mover = await known()
      const taken = `taken-${count}@example.com`
      await server.addUser({ email: taken, role: 'client' })
      const ask = (email: string) => change(mover, { email, password: goodPassword })
      const [foreign, free] = [await ask(taken), await ask(`free-${count}@example.com`)]
      expect([foreign.status, foreign.body.pendingEmail]).toEqual([200, taken])
      expect([free.status, free.body.pendingEmail]).toEqual([200, `free-${count}@example.com`])
      expect(Object.keys(foreign.body)).toEqual(Object.keys(free.body))
      const letters = (await server.mails()).filter(({ to }) => to === taken)
      expect(letters.map(({ subject }) => subject)).toEqual(['You already have an account'])
      expect(letters[0]?.text).not.toContain('#token=')
      expect([(await ask(taken)).status, (await ask(taken)).status]).toEqual([200, 429])
    })

    it('mails one link for one Idempotency-Key, and keeps no digest of the password', async () => {
      const mover = await known()
      const email = `once-${count}@example.com`
      const body = { email, password: goodPassword }
      const ask = (more: object = {}) =>
        server.call('POST', `user/${mover.id}/change-email`, {
          token: mover.token,
          body: { ...body, ...more },
          headers: { 'idempotency-key': `mail-${count}` },
        })
      expect([(await ask()).status, (await ask()).status]).toEqual([200, 200])
      expect((await server.mails()).filter(({ to }) => to === email)).toHaveLength(1)
      expect((await ask({ email: `x-${email}` })).status).toBe(422)
      expect((await ask({ password: 'wrong-password' })).body.code).toBe('wrong-password')
      const [kept] = await server.rows<{ bodyHash: string }>(`select * from "idempotency" where "key" = 'mail-${count}'`)
      const digest = (content: object) => createHash('sha256').update(JSON.stringify(content)).digest('hex')
      expect(kept?.bodyHash).not.toBe(digest(body))
    })

    it('does not take an address that another person has by now', async () => {
      const mover = await known()
      const email = `contested-${count}@example.com`
      await change(mover, { email, password: goodPassword })
      const token = await server.linkTo(email)
      await server.addUser({ email, role: 'client' })
      const refused = await put('change-email/complete', { token })
      expect(refused.status).toBe(409)
      expect((await server.login(mover.email)).status).toBe(200)
    })

    it('replaces the password only for who knows it, and signs out everywhere', async () => {
      const mover = await known()
      const path = `user/${mover.id}/password`
      const send = (body: unknown) => server.call('PUT', path, { token: mover.token, body })
      const wrong = await send({ password: 'wrong-password', newPassword })
      expect(wrong).toMatchObject({ status: 400, body: { code: 'wrong-password' } })
      expect(wrong.body.fields).toHaveProperty('password')
      const refused = (await send({ password: goodPassword, newPassword: 'short' })).body
      expect(refused.fields).toHaveProperty('newPassword')
      expect(refused.message).toEqual([expect.stringMatching(/^New password: \w/)])
      expect((await send({ password: goodPassword, newPassword })).status).toBe(200)
      expect((await server.call('GET', 'auth/me', { token: mover.token })).status).toBe(401)
      expect((await server.login(mover.email)).status).toBe(401)
      expect((await server.login(mover.email, newPassword)).status).toBe(200)
    })

    it('is for one of two who know the same password, when both were heard before either was done', async () => {
      const mover = await known()
      const path = `user/${mover.id}/password`
      const send = (chosen: string) =>
        server.call('PUT', path, { token: mover.token, body: { password: goodPassword, newPassword: chosen } })
      const wanted = [newPassword, `${newPassword}-too`]
      const answers = await Promise.all(wanted.map(send))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
      expect(answers.find(({ status }) => status === 400)).toMatchObject({ body: { code: 'wrong-password' } })
      const set = wanted[answers.findIndex(({ status }) => status === 200)]
      expect((await server.login(mover.email, set)).status).toBe(200)
    })
  })
})
