import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Mail } from '#server/base/mail.ts'
import { sendNotices } from '#server/fleet/warning/send-notices.ts'
import { watchServerRules } from '#server/fleet/warning/watch-server-rules.ts'
import { renderMail } from '#server/notify/render-mail.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { troubles, WarnedBoard } from '#tests/support/warned-board.ts'

const { door, hot, insulation, veryHot } = troubles
const noMail = () => {
  throw new Error('nobody has asked for a mail')
}

describe.each(oneEngine(import.meta.filename))('notices of warnings on $name', (engine) => {
  let server: BoardServer
  let warned: WarnedBoard
  beforeAll(async () => {
    server = await WarnedBoard.openServer(engine)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    warned = await WarnedBoard.add(server)
    await server.rows(`delete from "warningNotice"`)
  })

  it('reach people as they have asked for it, and nobody twice', async () => {
    // The viewer is an admin from then on.
    await warned.open()
    await server.rows(`update "user" set "notificationPrefs" = null`)
    const [admin] = await server.rows<{ id: string }>(`select "id" from "user" where "role" = 'admin' limit 1`)
    const told = async () => {
      await sendNotices(server.database, { now: server.now, send: noMail })
      const rows = await server.rows<{ note: { link: string; title: string[] } }>(
        `select "note" from "event" where "userId" = '${admin?.id}' order by "id"`,
      )
      return rows.map(({ note }) => note)
    }
    const before = (await told()).length
    await warned.see(0, hot)
    await warned.see(60, hot)
    expect((await told()).length).toBe(before)
    await warned.see(60, insulation)
    const warning = (await warned.open()).find(({ code }) => code === 'INSULATION_FAULT')
    const notes = await told()
    expect(notes).toHaveLength(before + 1)
    expect(notes.at(-1)).toMatchObject({
      link: `/telemetry-warning/${warning?.id}`,
      title: ['Insulation fault', 'Нарушение изоляции'],
    })
    expect((await told()).length).toBe(before + 1)

    await server.rows(`update "user" set "notificationPrefs" = '{"push": "INFO", "delayMin": 15}' where "id" = '${admin?.id}'`)
    await warned.see(60, door)
    await warned.see(60, door)
    expect((await told()).length).toBe(before + 1)
    server.pass(900)
    expect((await told()).at(-1)).toMatchObject({ title: ['Door open', 'Открыта дверь'] })
  })

  it('come by mail in the language of who has asked for mails, in one where there are several', async () => {
    await server.rows(`delete from "warningNotice"`)
    await server.rows(`insert into "user" ("id", "email", "role", "firstName", "lastName", "language", "notificationPrefs") values
      ('mail', 'mail@example.com', 'moderator', 'Анна', 'Ли', 'ru', '{"push": "OFF", "email": "WARNING", "delayMin": 0, "sites": "ALL"}')`)
    const sent: Mail[] = []
    const send = (mail: Mail) => void sent.push(mail)
    const told = () => sendNotices(server.database, { now: server.now, send })
    await warned.see(0, insulation)
    const warning = await warned.only()
    await told()
    await told()
    expect(sent).toMatchObject([
      { to: 'mail@example.com', language: 'ru', template: 'warnings', page: `/telemetry-warning/${warning.id}` },
    ])
    expect(renderMail(sent[0] as Mail, 'http://console.example')).toMatchObject({
      subject: expect.stringContaining('Нарушение изоляции'),
      text: expect.stringContaining(`http://console.example/telemetry-warning/${warning.id}`),
    })
    const notes = await server.rows(`select "note" from "event" where "userId" = 'mail'`)
    expect(notes).toEqual([])

    sent.length = 0
    warned = await WarnedBoard.add(server)
    await warned.see(0, { ...insulation, ...veryHot })
    await warned.see(60, { ...insulation, ...veryHot })
    await told()
    expect(sent.filter(({ to }) => to === 'mail@example.com')).toMatchObject([
      {
        page: '/telemetry-warning',
        values: { subject: '2 новых предупреждения', list: expect.stringContaining('57 °C') },
      },
    ])
    await server.rows(`update "user" set "notificationPrefs" = '{"email": "OFF", "push": "OFF"}' where "id" = 'mail'`)
  })

  it('of sites that others look after do not reach a new engineer, those of his own do', async () => {
    const { body } = await server.call('POST', 'user', {
      body: { email: 'new.engineer@example.com', role: 'service_engineer', firstName: 'Nell', lastName: 'New' },
    })
    const own = await WarnedBoard.add(server)
    await server.rows(`insert into "service_engineer" ("id", "essId", "userId", "scope", "state")
      values ('own', '${own.board.essId}', '${body.id}', 'FULL', 'ACTIVE')`)
    const told = async () => {
      await sendNotices(server.database, { now: server.now, send: noMail })
      const rows = await server.rows<{ note: { link: string } }>(`select "note" from "event" where "userId" = '${body.id}'`)
      return rows.map(({ note }) => note.link)
    }
    await warned.see(0, insulation)
    expect(await told()).toEqual([])
    await own.see(60, insulation)
    expect(await told()).toEqual([`/telemetry-warning/${(await own.only()).id}`])
  })

  describe('of what came up during maintenance', () => {
    let person: string
    beforeEach(async () => {
      person = uuidv7()
      await server.rows(`update "user" set "notificationPrefs" = '{"push": "OFF", "email": "OFF"}'`)
      await server.rows(`insert into "user" ("id", "email", "role", "firstName", "lastName", "notificationPrefs") values
        ('${person}', '${person}@example.com', 'moderator', 'Ann', 'Lee', '{"push": "CRITICAL"}')`)
    })
    const maintain = async (body: object) =>
      expect((await server.call('PUT', `ess/${warned.board.essId}/maintenance`, { body })).status).toBe(200)
    const come = () => maintain({ until: new Date(server.now.getTime() + 600_000).toISOString(), reason: 'new fan' })
    const told = async () => {
      await watchServerRules(server.database, server.now)
      await sendNotices(server.database, { now: server.now, send: noMail })
      const rows = await server.rows<{ note: { title: string[] } }>(`select "note" from "event" where "userId" = '${person}'`)
      return rows.map(({ note }) => note.title[0])
    }

    it('reach people when it ends by itself and they are still so, once', async () => {
      await come()
      await warned.see(0, { ...insulation, ...hot })
      await warned.see(60, { ...insulation, ...hot })
      expect(await told()).toEqual([])
      server.pass(600)
      // The one that is a mere warning is not for who asked for critical ones alone.
      expect(await told()).toEqual(['Insulation fault'])
      expect(await told()).toEqual(['Insulation fault'])
    })

    it('reach people when it is ended by hand, each as late as he wants it', async () => {
      await come()
      await warned.see(0, insulation)
      await server.rows(
        `update "user" set "notificationPrefs" = '{"push": "WARNING", "delayMin": 15}' where "id" = '${person}'`,
      )
      await maintain({ until: null })
      expect(await told()).toEqual([])
      server.pass(899)
      expect(await told()).toEqual([])
      server.pass(1)
      expect(await told()).toEqual(['Insulation fault'])
    })

    it('do not come where it was over before, or a person knows of it', async () => {
      await come()
      await warned.see(0, veryHot)
      await warned.see(60, veryHot)
      await warned.see(60, insulation)
      const known = (await warned.open()).find(({ code }) => code === 'INSULATION_FAULT')
      await warned.act('acknowledge', String(known?.id), { note: 'seen' })
      await server.rows(`update "telemetry_warning" set "active" = false, "clearedAt" = now() where "code" = 'OVER_TEMP'`)
      server.pass(600)
      expect(await told()).toEqual([])
      expect(await warned.noticesOf(String(known?.id))).toEqual([])
    })

    it('come though it came and went all the time, when it comes again afterwards', async () => {
      await server.rows(`update "user" set "notificationPrefs" = '{"push": "WARNING"}' where "id" = '${person}'`)
      await come()
      for (let times = 0; times < 4; times++) {
        await warned.see(30, door)
        await warned.see(60, door)
        await warned.see(30, {})
      }
      expect(await warned.only()).toMatchObject({ active: false, flapping: true, suppressed: true })
      server.pass(200)
      expect(await told()).toEqual([])
      for (let times = 0; times < 2; times++) {
        await warned.see(30, door)
        await warned.see(60, door)
        await warned.see(30, {})
      }
      await warned.see(30, door)
      await warned.see(60, door)
      expect(await told()).toEqual(['Door open'])
    })
  })

  it('speak to a client of his system in plain words, and of no board', async () => {
    const [client] = await server.rows<{
      id: string
    }>(`insert into "user" ("id", "email", "role", "firstName", "lastName", "language", "notificationPrefs")
      values ('owner', 'owner@example.com', 'client', 'Carl', 'Client', 'ru', '{"push": "CRITICAL", "email": "CRITICAL"}') returning "id"`)
    await server.rows(
      `update "ess" set "ownerId" = '${client?.id}', "name" = 'Lake house' where "id" = '${warned.board.essId}'`,
    )
    const sent: Mail[] = []
    await warned.see(0, insulation)
    await sendNotices(server.database, { now: server.now, send: (mail) => void sent.push(mail) })
    const [row] = await server.rows<{ note: { link: string; title: string[]; body: string[] } }>(
      `select "note" from "event" where "userId" = '${client?.id}'`,
    )
    expect(row?.note).toMatchObject({ link: '/', title: ['Insulation fault', 'Нарушение изоляции'] })
    expect(row?.note.body[0]).toMatch(/^Lake house: The insulation .* is damaged/)
    const mail = sent.find(({ to }) => to === 'owner@example.com')
    expect(mail?.values?.list).toMatch(/^Нарушение изоляции: Lake house: Нарушена изоляция/)
    expect(JSON.stringify([row, mail])).not.toContain(`PCB-${warned.board.uid}`)
    expect(JSON.stringify([row, mail])).not.toContain(warned.board.id)
  })

  it('reach nobody by a relation of a former role', async () => {
    await server.rows(`insert into "user" ("id", "email", "role", "firstName", "lastName", "notificationPrefs")
      values ('former', 'former@example.com', 'client', 'Fred', 'Former', '{"push": "INFO"}')`)
    await server.rows(`insert into "service_engineer" ("id", "essId", "userId", "state", "scope")
      values ('of-former', '${warned.board.essId}', 'former', 'ACTIVE', 'FULL')`)
    const told = async () => {
      await warned.see(0, insulation)
      await sendNotices(server.database, { now: server.now, send: noMail })
      return server.rows(`select from "event" where "userId" = 'former'`)
    }
    expect(await told()).toEqual([])
    await server.rows(`update "user" set "role" = 'service_engineer' where "id" = 'former'`)
    warned = await WarnedBoard.add(server)
    await server.rows(`update "service_engineer" set "essId" = '${warned.board.essId}' where "id" = 'of-former'`)
    expect(await told()).toHaveLength(1)
  })

  it('are told in one where there are many at a time', async () => {
    const [moderator] = await server.rows<{ id: string }>(
      `insert into "user" ("id", "email", "role", "firstName", "lastName") values ('m', 'm@example.com', 'moderator', 'Ann', 'Lee') returning "id"`,
    )
    const told = async () => {
      await sendNotices(server.database, { now: server.now, send: noMail })
      return server.rows<{ note: { link: string; title: string[]; body: string[] } }>(
        `select "note" from "event" where "userId" = '${moderator?.id}' order by "id"`,
      )
    }
    const before = await told()
    for (let count = 0; count < 4; count++) {
      warned = await WarnedBoard.add(server)
      await warned.see(0, insulation)
    }
    const notes = (await told()).slice(before.length)
    expect(notes.map(({ note }) => note)).toMatchObject([
      {
        link: '/telemetry-warning',
        title: ['4 new warnings', '4 новых предупреждения'],
        body: ['Insulation fault: 4', 'Нарушение изоляции: 4'],
      },
    ])
  })
})
