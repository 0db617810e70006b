import { createHash } from 'node:crypto'
import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { Api } from '#server/base/context.ts'
import { invalid, problem } from '#server/base/problems.ts'
import { headerBytes, ImageCrc, type ImageFault, type ImageHeader, readImageHeader } from './image-header.ts'
import { imageProblem } from './image-problems.ts'

export const largestImageBytes = 16 * 1024 * 1024

export type Upload = { name: string; content: Buffer; sha256: string; header: ImageHeader }

function refuse({ code, ...values }: ImageFault): never {
  throw imageProblem(`firmware-image.${code}`, { values })
}

/** The name as a label only: no path, no control or direction signs, at most 128 characters. */
const safeName = (name: string) =>
  (name.split(/[\\/]/).at(-1) ?? '')
    .replace(/[\p{Cc}\p{Cf}"<>|*?:]/gu, '')
    .trim()
    .slice(0, 128) || 'firmware.bin'

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function checked(content: Buffer): { header: ImageHeader; sha256: string } {
  const read = readImageHeader(content.subarray(0, headerBytes), content.length)
  if ('fault' in read) return refuse(read.fault)
  const crc = new ImageCrc()
  crc.update(content)
  const fault = crc.verify(read.header)
  return fault ? refuse(fault) : { header: read.header, sha256: createHash('sha256').update(content).digest('hex') }
}

const onlyFile = () => invalid([{ path: 'file', code: 'required', label: ['File', 'Файл'] }])

/** Reads the one part called `file`. 400 for any other shape, 413 above 16 MiB, 422 with the offset for a wrong image. */
export async function readUpload(request: FastifyRequest): Promise<Upload> {
  if (!request.isMultipart()) throw problem('wrong-media-type')
  let upload: { name: string; content: Buffer } | undefined
  for await (const part of request.parts({ limits: { fileSize: largestImageBytes, files: 2, fields: 1, parts: 3 } })) {
    if (part.type !== 'file' || part.fieldname !== 'file' || upload) throw onlyFile()
    const content = await readAll(part.file)
    // A truncated stream ends like a complete one; only this flag differs.
    if (part.file.truncated) throw problem('too-large')
    upload = { name: safeName(part.filename), content }
  }
  if (!upload || upload.content.length === 0) throw onlyFile()
  return { ...upload, ...checked(upload.content) }
}

/** Lets a scope of routes take multipart bodies. */
export const acceptUploads = (api: Api) => api.register(multipart, { throwFileSizeLimit: false })
