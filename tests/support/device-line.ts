import type { AddressInfo } from 'node:net'
import { uuidv7 } from 'uuidv7'
import { buildImage } from '#server/fleet/firmware/image-header.ts'
import { observeUpdates } from '#server/fleet/firmware/updates/observe-updates.ts'
import { type BoardServer, openBoardServer } from './board-server.ts'
import type { TestEngine } from './databases.ts'

type Answer = { status: number; headers: Headers; bytes: Buffer; body: Record<string, unknown> }
type Asked = { method?: string; body?: object | Buffer; headers?: Record<string, string> }

/** A server that listens and follows updates. */
export const openLine = (engine: TestEngine): Promise<BoardServer> =>
  openBoardServer(engine, {
    at: new Date(Math.floor(Date.now() / 1000) * 1000),
    listen: true,
    ingest: { observers: [observeUpdates] },
  })

/** Calls of the device API over a real connection, by a key. */
export async function callAs(
  server: BoardServer,
  key: string,
  path: string,
  { method, body, headers }: Asked = {},
): Promise<Answer> {
  const { port } = server.app.server.address() as AddressInfo
  const isBytes = Buffer.isBuffer(body)
  const answer = await fetch(`http://127.0.0.1:${port}/api/device/v1/${path}`, {
    method: method ?? (body ? 'POST' : 'GET'),
    headers: {
      'x-device-key': key,
      ...(body ? { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' } : {}),
      ...headers,
    },
    ...(body ? { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) } : {}),
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  const isJson = answer.headers.get('content-type')?.startsWith('application/json')
  return {
    status: answer.status,
    headers: answer.headers,
    bytes,
    body: isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : {},
  }
}

/** A released firmware for the boards of the tests, with a real image of so many bytes of payload. */
export async function addImage(
  server: BoardServer,
  firmwareVersion: string,
  payloadBytes: number,
): Promise<{ id: string; image: Buffer }> {
  const id = uuidv7()
  const payload = Buffer.from(Array.from({ length: payloadBytes }, (_, at) => (at * 31 + (at >> 8)) & 0xff))
  const image = buildImage({ firmwareVersion, hardwareRevisions: ['B1'], payload })
  await server.rows(
    `insert into "firmwareFile" ("firmwareId", "content") values ('${id}', decode('${image.toString('hex')}', 'hex'))`,
  )
  await server.rows(`insert into "firmware" ("id", "firmwareVersion", "hardwareRevisions", "status", "file")
    select '${id}', '${firmwareVersion}', '["B1"]', 'RELEASED', jsonb_build_object('name', 'image.bin', 'sha256', encode(sha256("content"), 'hex'),
      'crc32', '${image.readUInt32BE(26).toString(16).padStart(8, '0')}', 'sizeBytes', octet_length("content")) from "firmwareFile" where "firmwareId" = '${id}'`)
  return { id, image }
}
