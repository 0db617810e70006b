import { z } from 'zod'
import type { Body } from '#server/fleet/ingest/read-body.ts'

const lengthBytes = 4

const head = z.strictObject({
  keyHash: z.string(),
  controlPcbId: z.string(),
  ip: z.string(),
  sentAtMs: z.number().optional(),
  receivedAtMs: z.number(),
  lengths: z.array(z.int().nonnegative()),
})

/** A body whose key was found good, with its board. */
export type TakenBody = Body & { controlPcbId: string }

/** A body as bytes: the length of its head, the head as JSON, then the frames as they came. */
export function messageOf({ keyHash, controlPcbId, ip, sentAtMs, receivedAt, frames }: TakenBody): Buffer {
  const lengths = frames.map(({ length }) => length)
  const json = Buffer.from(JSON.stringify({ keyHash, controlPcbId, ip, sentAtMs, receivedAtMs: receivedAt.getTime(), lengths }))
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32BE(json.length)
  return Buffer.concat([length, json, ...frames])
}

/** Throws when the bytes are no body. */
export function bodyOf(data: Uint8Array): Omit<Body, 'position'> {
  const bytes = Buffer.from(data)
  const start = lengthBytes + bytes.readUInt32BE()
  const { lengths, receivedAtMs, sentAtMs, ...facts } = head.parse(JSON.parse(bytes.toString('utf8', lengthBytes, start)))
  const frames: Buffer[] = []
  let at = start
  for (const length of lengths) {
    frames.push(bytes.subarray(at, at + length))
    at += length
  }
  if (at !== bytes.length) throw new Error(`${at} bytes of frames are announced, ${bytes.length} came`)
  return { ...facts, sentAtMs, receivedAt: new Date(receivedAtMs), frames }
}
