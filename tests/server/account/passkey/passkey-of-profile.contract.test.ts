import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { keepHouse } from '#server/account/housekeeping-part.ts'
import { Authenticator, addProtected, challengeOf, giveCode } from '#tests/support/authenticator.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { addHolder, addPasskey, confirmBy, enterBy, type Options, type PasskeyHolder } from '#tests/support/passkey-people.ts'
import { goodPassword, openPeopleServer, type PeopleServer } from '#tests/support/people-server.ts'
import { SoftwarePasskey } from '#tests/support/software-passkey.ts'

type Shown = { id: string; name: string; createdAt: string; lastUsedAt: string | null }

describe.each(oneEngine(import.meta.filename))('the passkeys of a profile on $name', (engine) => {
  let server: PeopleServer
  let count = 0
  let ann: PasskeyHolder
  beforeAll(async () => {
    server = await openPeopleServer(engine)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    ann = await addHolder(server, `ann-${++count}@example.com`)
    server.pass(1)
  })
  const as = (token: string) => (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
    server.call(method, path, { token, ...(body === undefined ? {} : { body }) })
  const renewed = async (token: string) => String((await as(token)('POST', 'auth/refresh')).body.accessToken)
  const shown = async (token = ann.token) => (await as(token)('GET', 'auth/factor')).body.passkeys as Shown[]
  const subjects = async (email: string) => (await server.mails()).flatMap(({ to, subject }) => (to === email ? [subject] : []))

  it('are added by what a device has made, with a name, and ten recovery codes beside the first', async () => {
    expect(ann.recoveryCodes).toHaveLength(10)
    const second = await addPasskey(server, ann.token, new SoftwarePasskey(), { name: 'Office laptop' })
    expect(second.body).toEqual({ recoveryCodes: [] })
    const at = new Date(server.now).toISOString()
    expect(await shown()).toEqual([
      expect.objectContaining({ name: 'lightMyRequest', lastUsedAt: null }),
      expect.objectContaining({ name: 'Office laptop', createdAt: at, lastUsedAt: null }),
    ])
    expect(await subjects(ann.email)).toEqual(['A passkey was added', 'A passkey was added'])
    const [line] = await server.rows(`select "code", "after" from "auditLog" where "action" = 'add-passkey'
      and "result" = 'OK' and "actorId" = '${ann.id}' order by "at" desc, "id" desc limit 1`)
    expect(line).toMatchObject({ code: ann.email, after: { passkey: 'Office laptop' } })
  })

  it('are made on devices that ask for finger, face or PIN, and are found without a name', async () => {
    const { body } = await as(ann.token)('POST', 'auth/factor/passkey')
    expect(body).toMatchObject({
      rp: { id: 'console.example' },
      user: { name: ann.email },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: ann.passkey.id }],
      attestation: 'none',
    })
  })

  it.each<[string, Parameters<SoftwarePasskey['create']>[1]]>([
    ['another origin', { origin: 'https://evil.test' }],
    ['another host', { rpId: 'evil.test' }],
    ['a device that asked for nothing', { verified: false }],
    ['an answer of another kind', { type: 'webauthn.get' }],
  ])('are not added by %s, and what was refused is not tried again', async (_, lies) => {
    const passkey = new SoftwarePasskey()
    const begun = await as(ann.token)('POST', 'auth/factor/passkey')
    const put = (response: object) => as(ann.token)('PUT', 'auth/factor/passkey', { response })
    expect((await put(passkey.create(begun.body, lies))).body.code).toBe('passkey.refused')
    expect((await put(passkey.create(begun.body))).body.code).toBe('passkey.dead')
    expect(await shown()).toHaveLength(1)
  })

  it('are not added twice, by another session, by late or other options, nor beyond twenty', async () => {
    const own = as(ann.token)
    const bob = await server.signedIn({ email: `bob-${count}@example.com`, role: 'client' })
    const taken = await addPasskey(server, bob.token, ann.passkey)
    expect([taken.status, taken.body.code]).toEqual([409, 'passkey.present'])
    const begun = await own('POST', 'auth/factor/passkey')
    const response = new SoftwarePasskey().create(begun.body)
    expect((await as(bob.token)('PUT', 'auth/factor/passkey', { response })).body.code).toBe('passkey.dead')
    server.pass(301)
    expect((await own('PUT', 'auth/factor/passkey', { response })).body.code).toBe('passkey.dead')
    const enter = await server.call('POST', 'auth/passkey')
    const { challenge } = enter.body.options as Options
    const other = new SoftwarePasskey().create({ ...begun.body, challenge })
    expect((await own('PUT', 'auth/factor/passkey', { response: other })).body.code).toBe('passkey.dead')
    for (let more = 1; more < 20; more++) await addPasskey(server, ann.token, new SoftwarePasskey())
    const beyond = await addPasskey(server, ann.token, new SoftwarePasskey())
    expect([beyond.body.code, (await shown()).length]).toEqual(['passkey.too-many', 20])
  })

  it('are changed by a fresh confirmation only, which a passkey gives', async () => {
    server.pass(14 * 60)
    const token = await renewed(ann.token)
    server.pass(60)
    const own = as(token)
    const [{ id } = { id: '' }] = await shown(token)
    expect((await own('POST', 'auth/factor/passkey')).body.code).toBe('confirmation-needed')
    expect((await own('DELETE', `auth/factor/passkey/${id}`)).body.code).toBe('confirmation-needed')
    expect((await own('GET', 'auth/factor')).body.confirmedBy).toBe('factor')
    expect((await own('POST', 'auth/confirm', { password: goodPassword })).body.fields).toHaveProperty('code')
    const begun = await own('POST', 'auth/confirm/passkey')
    expect(begun.body.allowCredentials).toMatchObject([{ id: ann.passkey.id, transports: ['internal'] }])
    expect((await confirmBy(server, token, (options) => ann.passkey.use(options))).status).toBe(200)
    expect((await own('DELETE', `auth/factor/passkey/${id}`)).status).toBe(204)
    const noted = await server.rows(`select "action", "reason" from "auditLog" where "actorId" = '${ann.id}' and "result" = 'OK'
      and "action" in ('confirm', 'remove-passkey') order by "at", "id"`)
    expect(noted).toEqual([
      { action: 'confirm', reason: 'passkey' },
      { action: 'remove-passkey', reason: null },
    ])
  })

  it('are renamed by their owner, after a fresh confirmation, with a line in the audit log', async () => {
    const [{ id } = { id: '' }] = await shown()
    const address = `auth/factor/passkey/${id}`
    const bob = await server.signedIn({ email: `ben-${count}@example.com`, role: 'client' })
    expect((await as(bob.token)('PUT', address, { name: 'Mine' })).status).toBe(404)
    for (const name of ['', ' ', 'n'.repeat(65), null, 7])
      expect((await as(ann.token)('PUT', address, { name })).status).toBe(400)
    expect((await as(ann.token)('PUT', address, { name: 'Old phone' })).status).toBe(204)
    expect((await as(ann.token)('PUT', address, { name: 'Old phone' })).status).toBe(204)
    expect(await shown()).toMatchObject([{ id, name: 'Old phone' }])
    const lines = await server.rows(`select "before", "after" from "auditLog" where "action" = 'rename-passkey'
      and "result" = 'OK' and "actorId" = '${ann.id}'`)
    expect(lines).toEqual([{ before: { passkey: 'lightMyRequest' }, after: { passkey: 'Old phone' } }])
    server.pass(14 * 60)
    const token = await renewed(ann.token)
    server.pass(2 * 60)
    expect((await as(token)('PUT', address, { name: 'Stolen' })).body.code).toBe('confirmation-needed')
    expect((await enterBy(server, (options) => ann.passkey.use(options))).status).toBe(200)
  })

  it('are confirmed for the session that began alone', async () => {
    const other = String((await enterBy(server, (options) => ann.passkey.use(options))).body.accessToken)
    const begun = await as(ann.token)('POST', 'auth/confirm/passkey')
    const response = ann.passkey.use(begun.body)
    expect((await as(other)('PUT', 'auth/confirm/passkey', { response })).body.code).toBe('passkey.dead')
    expect((await as(ann.token)('PUT', 'auth/confirm/passkey', { response })).status).toBe(200)
  })

  it('are removed one by one by their owner; with the last one the password is enough, and the codes are dead', async () => {
    await addPasskey(server, ann.token, new SoftwarePasskey(), { name: 'Second' })
    const [first, second] = await shown()
    const bob = await server.signedIn({ email: `bob-${count}@example.com`, role: 'client' })
    expect((await as(bob.token)('DELETE', `auth/factor/passkey/${first?.id}`)).status).toBe(404)
    expect((await as(ann.token)('DELETE', `auth/factor/passkey/${first?.id}`)).status).toBe(204)
    expect((await enterBy(server, (options) => ann.passkey.use(options))).body.code).toBe('passkey.refused')
    expect((await server.login(ann.email)).status).toBe(202)
    expect((await as(ann.token)('DELETE', `auth/factor/passkey/${second?.id}`)).status).toBe(204)
    expect((await server.login(ann.email)).status).toBe(200)
    expect((await as(ann.token)('GET', 'auth/factor')).body).toMatchObject({ passkeys: [], recoveryLeft: 0 })
    expect((await subjects(ann.email)).toSorted()).toEqual([
      'A passkey was added',
      'A passkey was added',
      'A passkey was removed',
      'Your second factor was removed',
    ])
  })

  it('go on as the second factor when the app is removed, with the same recovery codes', async () => {
    const both = await addProtected(server, `both-${count}@example.com`)
    const passkey = new SoftwarePasskey()
    await addPasskey(server, both.token, passkey)
    expect((await as(both.token)('DELETE', 'auth/factor/totp')).status).toBe(204)
    expect((await as(both.token)('DELETE', 'auth/factor/totp')).body.code).toBe('second-factor.absent')
    expect((await server.login(both.email)).body.ways).toEqual(['passkey'])
    expect((await giveCode(server, await challengeOf(server, both.email), both.recoveryCodes[0] ?? '')).status).toBe(200)
    expect(await subjects(both.email)).toContain('Your authenticator app was removed')
  })

  it('keep the recovery codes of who sets an app up beside them', async () => {
    const begun = await as(ann.token)('POST', 'auth/factor/totp')
    const code = new Authenticator(String(begun.body.secret)).codeAt(server.now)
    expect((await as(ann.token)('PUT', 'auth/factor/totp', { code })).body).toEqual({ recoveryCodes: [] })
    expect((await giveCode(server, await challengeOf(server, ann.email), ann.recoveryCodes[0] ?? '')).status).toBe(200)
  })

  it('are taken away by an admin who resets the second factor', async () => {
    const root = await server.signedIn({ email: `root-${count}@example.com`, role: 'admin' })
    expect((await as(root.token)('GET', `user/${ann.id}`)).body.secondFactor).toBe(true)
    const reset = await as(root.token)('PUT', `user/${ann.id}/reset-factor`, { reason: 'The phone was lost' })
    expect([reset.status, reset.body.secondFactor]).toEqual([200, false])
    expect((await enterBy(server, (options) => ann.passkey.use(options))).body.code).toBe('passkey.refused')
    expect((await server.login(ann.email)).status).toBe(200)
    expect(await server.rows(`select 1 from "passkey" where "userId" = '${ann.id}'`)).toEqual([])
  })

  it('are in the file of the own data by name, and are erased with their owner', async () => {
    const file = await as(ann.token)('GET', `user/${ann.id}/data`)
    const sections = file.body.sections as { name: string; rows: object[] }[]
    const { rows } = sections.find(({ name }) => name === 'passkey') ?? {}
    expect(rows).toEqual([expect.objectContaining({ name: 'lightMyRequest', lastUsedAt: null })])
    expect(file.text).not.toContain(ann.passkey.id)
    await server.call('POST', 'auth/passkey')
    await server.rows(`update "user" set "deletedAt" = now(), "purgeAt" = '2026-01-01' where "id" = '${ann.id}'`)
    server.pass(301)
    await keepHouse(server.context)
    expect(await server.rows(`select 1 from "passkey" where "userId" = '${ann.id}'`)).toEqual([])
    expect(await server.rows('select 1 from "passkeyCeremony"')).toEqual([])
  })
})
