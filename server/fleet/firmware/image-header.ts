import { crc32 } from 'node:zlib'
import { type Product, productNames, usualProduct } from '#resources/shared/products.ts'

/**
 * Header of a firmware image, big endian, 30 bytes:
 * 0 magic "ESFW", 4 header version u8, 5 product u8, 6 version 3 × u16, 12 hardware mask u32, 16 oldest version to update from 3 × u16
 * (0.0.0 = any), 22 payload length u32, 26 CRC-32 (IEEE) over bytes 0 to 25 and the payload; the payload follows.
 */
export type ImageHeader = {
  firmwareVersion: string
  product: Product
  hardwareRevisions: string[]
  minFromVersion: string | null
  payloadBytes: number
  crc32: number
}

export type ImageFault = {
  code: 'bad-magic' | 'bad-header-version' | 'unknown-product' | 'no-hardware' | 'bad-length' | 'bad-crc'
  offset: number
  expected: string
  actual: string
}

export const headerBytes = 30
const magic = 'ESFW'
const headerVersion = 1
const crcOffset = 26

/** Bit 0 is A1, bit 7 is A8, bit 8 is B1 … bit 31 is D8. */
const revisions = ['A', 'B', 'C', 'D'].flatMap((letter) => [1, 2, 3, 4, 5, 6, 7, 8].map((digit) => `${letter}${digit}`))

const readVersion = (bytes: Buffer, at: number) => [0, 2, 4].map((step) => bytes.readUInt16BE(at + step)).join('.')
const hex = (value: number) => `0x${value.toString(16).padStart(8, '0')}`

/** Parses the header and checks magic, header version, product, hardware, and the length against the file size. */
export function readImageHeader(head: Buffer, fileBytes: number): { header: ImageHeader } | { fault: ImageFault } {
  if (head.length < headerBytes || fileBytes < headerBytes) {
    return { fault: { code: 'bad-length', offset: 0, expected: `≥ ${headerBytes}`, actual: String(fileBytes) } }
  }
  const found = head.toString('latin1', 0, 4)
  if (found !== magic) return { fault: { code: 'bad-magic', offset: 0, expected: magic, actual: head.toString('hex', 0, 4) } }
  const version = head.readUInt8(4)
  if (version !== headerVersion)
    return { fault: { code: 'bad-header-version', offset: 4, expected: String(headerVersion), actual: String(version) } }
  const product = productNames[head.readUInt8(5)]
  if (!product) {
    const expected = `0–${productNames.length - 1}`
    return { fault: { code: 'unknown-product', offset: 5, expected, actual: String(head.readUInt8(5)) } }
  }
  const mask = head.readUInt32BE(12)
  const hardwareRevisions = revisions.filter((_, bit) => ((mask >>> bit) & 1) === 1)
  if (hardwareRevisions.length === 0) return { fault: { code: 'no-hardware', offset: 12, expected: '≠ 0', actual: '0' } }
  const payloadBytes = head.readUInt32BE(22)
  if (payloadBytes !== fileBytes - headerBytes) {
    return {
      fault: { code: 'bad-length', offset: 22, expected: String(fileBytes - headerBytes), actual: String(payloadBytes) },
    }
  }
  const minFrom = readVersion(head, 16)
  return {
    header: {
      firmwareVersion: readVersion(head, 6),
      product,
      hardwareRevisions,
      minFromVersion: minFrom === '0.0.0' ? null : minFrom,
      payloadBytes,
      crc32: head.readUInt32BE(crcOffset),
    },
  }
}

/** Incremental CRC of an image, fed in file order; the CRC field itself is skipped. */
export class ImageCrc {
  #value = 0
  #at = 0

  update(chunk: Buffer): void {
    const before = chunk.subarray(0, Math.max(0, crcOffset - this.#at))
    const after = chunk.subarray(Math.min(chunk.length, Math.max(0, headerBytes - this.#at)))
    if (before.length > 0) this.#value = crc32(before, this.#value)
    if (after.length > 0) this.#value = crc32(after, this.#value)
    this.#at += chunk.length
  }

  /** The fault when the sum differs from the header's. */
  verify(header: ImageHeader): ImageFault | undefined {
    if (this.#value === header.crc32) return undefined
    return { code: 'bad-crc', offset: crcOffset, expected: hex(header.crc32), actual: hex(this.#value) }
  }
}

/** Builds an image from a payload, for the demo fleet and tests. */
export function buildImage(facts: {
  firmwareVersion: string
  product?: Product
  hardwareRevisions: readonly string[]
  minFromVersion?: string
  payload: Buffer
}): Buffer {
  const head = Buffer.alloc(headerBytes)
  const writeVersion = (version: string, at: number) => {
    for (const [index, part] of version.split('.').entries()) head.writeUInt16BE(Number(part), at + index * 2)
  }
  const mask = facts.hardwareRevisions.reduce((bits, revision) => bits | (1 << revisions.indexOf(revision)), 0) >>> 0
  head.write(magic, 0, 'latin1')
  head.writeUInt8(headerVersion, 4)
  head.writeUInt8(productNames.indexOf(facts.product ?? usualProduct), 5)
  writeVersion(facts.firmwareVersion, 6)
  head.writeUInt32BE(mask, 12)
  writeVersion(facts.minFromVersion ?? '0.0.0', 16)
  head.writeUInt32BE(facts.payload.length, 22)
  head.writeUInt32BE(crc32(facts.payload, crc32(head.subarray(0, crcOffset))), crcOffset)
  return Buffer.concat([head, facts.payload])
}
