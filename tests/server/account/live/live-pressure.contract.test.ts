import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '#server/db/transaction.ts'
import { notifyUser } from '#server/notify/notify-user.ts'
import { oneEngine, openProductTables } from '#tests/support/databases.ts'
import { LiveServer } from '#tests/support/live-server.ts'

const notes = 12

describe.each(oneEngine(import.meta.filename))('live events under back-pressure on $name', (engine) => {
  let server: LiveServer
  beforeAll(async () => {
    server = await LiveServer.open(await openProductTables(engine))
  })
  afterAll(() => server.close())

  /** A browser that has not begun to read: what the sockets do not take stays with the server. */
  const opened = (token: string, query: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      get(`${server.address}/api/events${query}`, { headers: { authorization: `Bearer ${token}` } }, resolve).on(
        'error',
        reject,
      )
    })
  /** Changes of some megabytes, and a notice. */
  const happen = (userId: string, number: number) =>
    inTransaction(server.database, async (db) => {
      await sql`insert into "event" ("resource", "entityId", "version", "type", "at")
        select 'ess', repeat('x', 4000) || "n", 1, 'updated', now() from generate_series(1, 400) as "n"`.execute(db)
      const text = `Note ${number}`
      await notifyUser(db, { userId, title: [text, text], body: ['You', 'Вы'], link: '/profile', now: new Date() })
      await sql`select pg_notify('event', '')`.execute(db)
    })

  it.each(['', '?mostPerS=999', '?mostPerS=1'])(
    'tell each notice once and in its order to a reader who stops for a while: %s',
    async (query) => {
      const { token, id: userId } = await server.signedIn({
        email: `pressure${query.length}@example.com`,
        role: 'admin',
      })
      const stream = await opened(token, query)
      await sleep(200)
      for (let number = 1; number <= notes; number += 1) await happen(userId, number)
      await sleep(1_500)
      let text = ''
      stream.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
      const titles = () => [...text.matchAll(/"title":\["(Note \d+)"/g)].map(([, title]) => title)
      const wanted = Array.from({ length: notes }, (_, index) => `Note ${index + 1}`)
      await expect.poll(titles).toEqual(wanted)
      await sleep(300)
      expect(titles()).toEqual(wanted)
      const positions = [...text.matchAll(/^id: (\d+)-(\d+)-/gm)].map(([, xid, id]) => [Number(xid), Number(id)] as const)
      expect(positions).toEqual(positions.toSorted(([xid, id], [other, next]) => xid - other || id - next))
      stream.destroy()
    },
  )
})
