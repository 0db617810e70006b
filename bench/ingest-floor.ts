import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import type { Database } from '#server/db/connect.ts'
import { rowsOf } from '#server/db/query.ts'

const waitMs = 3
const most = 64

type Waiting = { key: string; body: Buffer; answer: ServerResponse }

async function bodyOf(asked: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of asked) pieces.push(piece)
  return Buffer.concat(pieces)
}

/**
 * The least that keeping a body can cost: node:http, and one insert of many rows for all bodies that come within 3 ms, 64 at most. A body
 * is one row however many frames it has; nothing is read or checked.
 */
export async function openIngestFloor({ kysely }: Database): Promise<{ url: string; close: () => void }> {
  await rowsOf(kysely, sql`create table "floorBody" ("id" bigserial primary key, "key" text, "at" timestamptz, "bytes" bytea)`)
  let waiting: Waiting[] = []
  let timer: NodeJS.Timeout | undefined
  async function keep(): Promise<void> {
    clearTimeout(timer)
    const bodies = waiting
    waiting = []
    const rows = bodies.map(({ key, body }) => sql`(${key}, now(), ${body})`)
    await rowsOf(kysely, sql`insert into "floorBody" ("key", "at", "bytes") values ${sql.join(rows)}`)
    for (const { answer } of bodies) answer.writeHead(202, { 'content-type': 'application/json' }).end('{}')
  }
  const server = createServer(async (asked, answer) => {
    const body = await bodyOf(asked)
    waiting.push({ key: String(asked.headers['x-device-key']), body, answer })
    if (waiting.length === 1) timer = setTimeout(keep, waitMs)
    if (waiting.length === most) await keep()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() }
}
