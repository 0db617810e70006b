import { describe, expect, it } from 'vitest'
import { bodyOf, messageOf } from '#server/fleet/ingest/stream/body-message.ts'

const body = {
  keyHash: 'abc',
  controlPcbId: '0192',
  ip: '10.0.0.7',
  sentAtMs: 1_770_000_000_123,
  receivedAt: new Date('2026-03-02T00:00:00.456Z'),
  frames: [Buffer.from([1, 2, 3]), Buffer.alloc(0), Buffer.from([0xff])],
}

describe('a body of frames as a message', () => {
  it('comes back as it was', () => {
    expect(bodyOf(messageOf(body))).toEqual(body)
    expect(bodyOf(messageOf({ ...body, sentAtMs: undefined })).sentAtMs).toBeUndefined()
  })

  it('is refused when bytes are missing, are too many, or are no body at all', () => {
    const message = messageOf(body)
    for (const bytes of [
      message.subarray(0, -1),
      Buffer.concat([message, Buffer.from([0])]),
      Buffer.from('no body'),
      Buffer.alloc(2),
    ])
      expect(() => bodyOf(bytes)).toThrow()
  })
})
