import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { hasPreview, type StoredFile } from '#schema/files.ts'
import { type ByteRange, rangeOf } from '#server/base/byte-range.ts'
import { problem } from '#server/base/problems.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'

/** Chunk size of reads from the database. */
const pieceBytes = 64 * 1024

const asciiName = (name: string) => name.replace(/[^\w.-]/g, '_')

/** A value of RFC 8187: `encodeURIComponent` leaves four characters that it has to escape. */
const extendedName = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** Browsers save an attachment instead of opening it; its name is given twice, as RFC 6266 says. */
export const attachment = (name: string): string =>
  `attachment; filename="${asciiName(name)}"; filename*=UTF-8''${extendedName(name)}`

/** A row whose column "content" holds the bytes. */
export type StoredBytes = { table: string; key: string; id: string }
/** Facts of the whole, in bytes. `type` is octets unless browsers may show it; without a `name` it is no attachment. */
type BytesFacts = { size: number; sha256: string; type?: string; name?: string }

async function* piecesOf(db: Queryable, { table, key, id }: StoredBytes, { start, end }: ByteRange) {
  for (let at = start; at <= end; at += pieceBytes) {
    const length = Math.min(pieceBytes, end - at + 1)
    const row = await rowOf(
      db,
      sql<{ piece: Buffer }>`select substring("content" from ${at + 1}::int for ${length}::int) as "piece"
        from ${sql.table(table)} where ${sql.ref(key)} = ${id}`,
    )
    if (!row) throw new Error('the file was removed while it was read')
    yield row.piece
  }
}

/** Size of the stored bytes. Throws 404 when missing, 409 when they no longer match the hash. */
async function soundSize(db: Queryable, { id, sha256 }: StoredFile, isFromStart: boolean): Promise<number> {
  const isSound = isFromStart ? sql`encode(sha256("content"), 'hex') = ${sha256}` : sql`true`
  const row = await rowOf(
    db,
    sql<{ size: number; isSound: boolean }>`select octet_length("content") as "size", ${isSound} as "isSound"
      from "storedFile" where "id" = ${id}`,
  )
  if (!row) throw problem('not-found')
  if (!row.isSound) throw problem('file.damaged')
  return row.size
}

/**
 * Sends stored bytes or the range of them that is asked for, in chunks from the database: a slow client occupies neither memory
 * nor a connection.
 */
export function sendBytes(
  db: Queryable,
  { size, sha256, type = 'application/octet-stream', name, ...stored }: StoredBytes & BytesFacts,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { range: asked, 'if-range': ifRange } = request.headers
  const tag = `"${sha256}"`
  const range = ifRange === undefined || ifRange === tag ? rangeOf(asked, size) : undefined
  const part = range ?? { start: 0, end: size - 1 }
  reply.header('content-type', type).header('etag', tag).header('accept-ranges', 'bytes')
  if (name !== undefined) reply.header('content-disposition', attachment(name))
  if (range) reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${size}`)
  reply.header('content-length', part.end - part.start + 1)
  return reply.send(Readable.from(piecesOf(db, stored, part)))
}

/** Sends a file or a range of it. Only raster images keep their content type. */
export async function sendFile(db: Queryable, file: StoredFile, request: FastifyRequest, reply: FastifyReply) {
  const { id, name, sha256 } = file
  const size = await soundSize(db, file, request.headers.range === undefined)
  const shown = hasPreview(file.type) && { type: file.type }
  return sendBytes(db, { table: 'storedFile', key: 'id', id, size, sha256, name, ...shown }, request, reply)
}
