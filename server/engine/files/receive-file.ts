import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { headBytes } from '#schema/files.ts'
import type { Api } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'

type Received = { name: string; content: Buffer }
type FileRules = {
  maxBytes: number
  /** Thrown for a body that is not one file. */
  onlyFile: () => Error
  /** Thrown for a file above the limit. */
  tooLarge: () => Error
  /** The refusal that the first bytes give. */
  refusalOf?: (name: string, head: Buffer) => Error | undefined
}

/** 16 MiB over a poor line of 27 KiB a second; the console waits as long. */
export const uploadTimeoutS = 600

/** Lets a scope of routes take multipart bodies. */
export const acceptUploads = (api: Api) => api.register(multipart, { throwFileSizeLimit: false })

/** The body of an upload, as the API is described. */
export const describedUpload = {
  bodyType: 'multipart/form-data',
  body: {
    type: 'object',
    required: ['file'],
    additionalProperties: false,
    properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
  },
}

/** The name as a label only: no path, no control or direction signs, at most 128 characters with its ending. */
function safeName(name: string, nameless: string): string {
  const plain = (name.split(/[\\/]/).at(-1) ?? '').replace(/[\p{Cc}\p{Cf}"<>|*?:]/gu, '').trim()
  const ending = /\.[^.]{1,16}$/.exec(plain)?.[0] ?? ''
  return plain.slice(0, plain.length - ending.length).slice(0, 128 - ending.length) + ending || nameless
}

/** Takes the file into memory. What its first bytes refuse is read on without being kept, so that the refusal arrives. */
async function readAll({ file }: MultipartFile, refusalOf: (head: Buffer) => Error | undefined): Promise<Buffer> {
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

/** Reads the one part called `file`. Throws 415 for another kind of body. */
export async function receiveFile(
  request: FastifyRequest,
  nameless: string,
  { maxBytes, onlyFile, tooLarge, refusalOf }: FileRules,
): Promise<Received> {
  if (!request.isMultipart()) throw problem('wrong-media-type')
  let received: Received | undefined
  for await (const part of request.parts({ limits: { fileSize: maxBytes, files: 2, fields: 1, parts: 3 } })) {
    if (part.type !== 'file' || part.fieldname !== 'file' || received) throw onlyFile()
    const name = safeName(part.filename, nameless)
    const content = await readAll(part, (head) => refusalOf?.(name, head))
    // A truncated stream ends like a complete one; only this flag differs.
    if (part.file.truncated) throw tooLarge()
    received = { name, content }
  }
  if (!received) throw onlyFile()
  return received
}
