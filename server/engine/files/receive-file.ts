import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import { headBytes } from '#schema/files.ts'
import type { Api } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import { boundaryOf, multipartGuard } from './multipart-guard.ts'

type Received = { name: string; content: Buffer }
export type FileRules = {
  maxBytes: number
  /** Thrown for a body that is not one file. */
  onlyFile: () => Error
  /** Thrown for a file above the limit. */
  tooLarge: () => Error
  /** Refusal by the first bytes. */
  refusalOf?: (name: string, head: Buffer) => Error | undefined
}

/** Enables multipart bodies for a scope of routes; the routes read them. */
export const acceptUploads = (api: Api) =>
  api.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null))

/** OpenAPI schema of an upload. */
export const describedUpload = {
  bodyType: 'multipart/form-data',
  body: {
    type: 'object',
    required: ['file'],
    additionalProperties: false,
    properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
  },
}

/** Browsers write these three characters of a name as escapes, and no others: `%41` in a name is `%41`. */
const escapes: Readonly<Record<string, string>> = { '%0A': '\n', '%0D': '\r', '%22': '"' }

/** The name that a browser sent, by the WHATWG encoding of multipart/form-data. */
const unescaped = (name: string): string => name.replace(/%(?:0A|0D|22)/g, (code) => escapes[code] ?? code)

/** A safe label: no path, no control or bidi characters, at most 128 characters including the ending. */
function safeName(name: string, nameless: string): string {
  const plain = (name.split(/[\\/]/).at(-1) ?? '').replace(/[\p{Cc}\p{Cf}<>|*?:]/gu, '').trim()
  const ending = /\.[^.]{1,16}$/.exec(plain)?.[0] ?? ''
  return plain.slice(0, plain.length - ending.length).slice(0, 128 - ending.length) + ending || nameless
}

/**
 * Reads the file into memory. Once its first bytes are refused, the rest is read and discarded, so that the client gets the
 * response.
 */
async function readAll(file: BusboyFileStream, refusalOf: (head: Buffer) => Error | undefined): Promise<Buffer> {
  let chunks: Buffer[] = []
  let bytes = 0
  let refusal: Error | undefined
  const look = () => {
    refusal = refusalOf(Buffer.concat(chunks).subarray(0, headBytes))
  }
  for await (const chunk of file) {
    const isSeen = bytes >= headBytes
    bytes += chunk.length
    if (!refusal) chunks.push(chunk)
    if (!isSeen && bytes >= headBytes) look()
    if (refusal) chunks = []
  }
  if (bytes < headBytes) look()
  if (refusal) throw refusal
  return Buffer.concat(chunks)
}

const parserOf = (boundary: string, fileSize: number) =>
  new Busboy({
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    limits: { fileSize, files: 1, fields: 0, parts: 2, headerPairs: 16, headerSize: 8192 },
  })

/** Feeds the body to the parser until the part `file` arrives, or the body proves invalid. */
function readParts(
  { raw }: FastifyRequest,
  { boundary, maxBytes, onlyFile }: { boundary: string; maxBytes: number; onlyFile: () => Error },
  take: (file: BusboyFileStream, name: string) => Promise<Received>,
): Promise<Received> {
  const guard = multipartGuard(boundary)
  const parser = parserOf(boundary, maxBytes)
  let file: BusboyFileStream | undefined
  const read = new Promise<Received>((resolve, reject) => {
    const refuse = () => reject(onlyFile())
    let received: Promise<Received> | undefined
    parser.on('file', (field, part, name) => {
      file = part.on('error', refuse)
      if (field !== 'file') return refuse()
      received = take(part, name)
      received.catch(reject)
    })
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) parser.on(limit, refuse)
    parser.on('finish', () => (received ? received.then(resolve, reject) : refuse()))
    for (const stream of [raw, guard, parser]) stream.on('error', refuse)
    raw.on('close', () => raw.readableEnded || refuse())
    raw.pipe(guard).pipe(parser)
  })
  return read.finally(() => {
    raw.unpipe(guard)
    guard.unpipe(parser)
    file?.destroy()
    // The rest of a refused body is discarded, so that the client gets the response.
    raw.resume()
  })
}

/** Reads the single part `file`. Throws 415 for another content type. */
export async function receiveFile(
  request: FastifyRequest,
  nameless: string,
  { maxBytes, onlyFile, tooLarge, refusalOf }: FileRules,
): Promise<Received> {
  const boundary = boundaryOf(request.headers['content-type'])
  if (boundary === undefined) throw problem('wrong-media-type')
  if (boundary === '') throw onlyFile()
  return readParts(request, { boundary, maxBytes, onlyFile }, async (file, filename) => {
    const name = safeName(unescaped(filename ?? ''), nameless)
    const content = await readAll(file, (head) => refusalOf?.(name, head))
    // A truncated stream ends like a complete one; only this flag differs.
    if (file.truncated) throw tooLarge()
    return { name, content }
  })
}
