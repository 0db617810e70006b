import { crc16 } from './crc16.ts'
import { crcBytes, emptyFrameBytes, headerBytes, magic, maxPayloadBytes } from './frame-layout.ts'

const startsAt = (body: Buffer, at: number) => body[at] === magic[0] && body[at + 1] === magic[1]

/** Declared end of the frame that starts here; undefined when it exceeds the body. */
function endOf(body: Buffer, at: number): number | undefined {
  if (at + headerBytes > body.length) return undefined
  const payload = body.readUInt16BE(at + 16)
  const end = at + emptyFrameBytes + payload
  return payload <= maxPayloadBytes && end <= body.length ? end : undefined
}

const isBoundary = (body: Buffer, at: number) => at === body.length || startsAt(body, at)

/** Bounds the CRC work, since a body may consist of frame starts only: after this many bytes only boundaries count. */
const mostSummedBytes = 8 * 1024 * 1024

class Cutting {
  readonly #body: Buffer
  #left = mostSummedBytes

  constructor(body: Buffer) {
    this.#body = body
  }

  #isSound(at: number, end: number): boolean {
    this.#left -= end - at
    const sum = end - crcBytes
    return this.#left >= 0 && crc16(this.#body, at, sum) === this.#body.readUInt16BE(sum)
  }

  /** Next offset at which a complete frame seems to start; the end of the body when there is none. */
  #nextStart(from: number): number {
    const body = this.#body
    for (let at = body.indexOf(magic, from); at >= 0; at = body.indexOf(magic, at + 1)) {
      const end = endOf(body, at)
      if (end !== undefined && (isBoundary(body, end) || this.#isSound(at, end))) return at
    }
    return body.length
  }

  /** End of the piece that starts here. */
  endOfPiece(at: number): number {
    if (!startsAt(this.#body, at)) return this.#nextStart(at + 1)
    const end = endOf(this.#body, at)
    if (end !== undefined && (isBoundary(this.#body, end) || this.#isSound(at, end))) return end
    return this.#nextStart(at + magic.length)
  }
}

/**
 * Splits a body into frames. Corrupt bytes become a piece of their own, and splitting resumes at the next frame; every byte is
 * in exactly one piece. Undefined when there are more than `most` pieces.
 */
export function splitFrames(body: Buffer, most: number): Buffer[] | undefined {
  const cutting = new Cutting(body)
  const pieces: Buffer[] = []
  for (let at = 0; at < body.length; ) {
    if (pieces.length >= most) return undefined
    const end = cutting.endOfPiece(at)
    pieces.push(body.subarray(at, end))
    at = end
  }
  return pieces
}
