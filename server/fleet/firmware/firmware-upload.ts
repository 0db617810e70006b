import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { firmware } from '#resources/firmware.ts'
import { rulesOfField } from '#server/engine/files/field-file.ts'
import { receiveFile } from '#server/engine/files/receive-file.ts'
import { headerBytes, ImageCrc, type ImageFault, type ImageHeader, readImageHeader } from './image-header.ts'
import { imageProblem } from './image-problems.ts'

export type Upload = { name: string; content: Buffer; sha256: string; header: ImageHeader }

function refuse({ code, ...values }: ImageFault): never {
  throw imageProblem(`firmware-image.${code}`, { values })
}

function checked(content: Buffer): { header: ImageHeader; sha256: string } {
  const read = readImageHeader(content.subarray(0, headerBytes), content.length)
  if ('fault' in read) return refuse(read.fault)
  const crc = new ImageCrc()
  crc.update(content)
  const fault = crc.verify(read.header)
  return fault ? refuse(fault) : { header: read.header, sha256: createHash('sha256').update(content).digest('hex') }
}

/**
 * Reads the single part `file`. 400 for any other shape or type, 413 above the field's limit, 422 with the offset for an
 * invalid image.
 */
export async function readUpload(request: FastifyRequest): Promise<Upload> {
  const upload = await receiveFile(request, 'firmware.bin', rulesOfField('file', firmware.fields.file))
  return { ...upload, ...checked(upload.content) }
}
