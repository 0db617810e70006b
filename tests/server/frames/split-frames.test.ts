import { describe, expect, it } from 'vitest'
import { referenceDecoder } from '#server/frames/reference-decoder.ts'
import { splitFrames } from '#server/frames/split-frames.ts'
import { decode, home, noon, telemetryFrame, uid } from './sample-frames.ts'

const frames = (count: number) => Array.from({ length: count }, (_, seq) => telemetryFrame({}, { seq }))
const statuses = (body: Buffer) => splitFrames(body, 100)?.map((bytes) => decode(bytes).reasons[0]?.code ?? 'VALID')
const changed = (bytes: Buffer, at: number, value: number) => {
  const copy = Buffer.from(bytes)
  copy[at] = value
  return copy
}

describe('cutting a body into frames', () => {
  it('finds every frame of a batch', () => {
    expect(splitFrames(Buffer.concat(frames(5)), 100)).toEqual(frames(5))
  })

  it.each([
    ['a damaged payload', 40, 0xee, 'CRC_MISMATCH'],
    ['a damaged length', 16, 0x3f, 'LENGTH_MISMATCH'],
    ['a length that ends in the next frame', 17, 0xd0, 'LENGTH_MISMATCH'],
    ['a damaged start', 0, 0, 'BAD_MAGIC'],
  ])('goes on after %s', (_, at, value, code) => {
    const [a, b, c] = frames(3)
    if (!a || !b || !c) throw new Error('three frames')
    expect(statuses(Buffer.concat([a, changed(b, at, value), c]))).toEqual(['VALID', code, 'VALID'])
  })

  it('reads a sound frame between two damaged ones', () => {
    const [a, b, c] = frames(3)
    if (!a || !b || !c) throw new Error('three frames')
    expect(statuses(Buffer.concat([changed(a, 16, 0x3f), b, changed(c, 0, 0)]))).toEqual([
      'LENGTH_MISMATCH',
      'VALID',
      'BAD_MAGIC',
    ])
  })

  it('keeps what surrounds frames as pieces of their own', () => {
    const [a, b] = frames(2)
    if (!a || !b) throw new Error('two frames')
    const body = Buffer.concat([Buffer.from('noise'), a, Buffer.from('more'), b, Buffer.from([0xe5])])
    expect(statuses(body)).toEqual(['BAD_MAGIC', 'VALID', 'BAD_MAGIC', 'VALID', 'BAD_MAGIC'])
  })

  it('gives up on more pieces than it may make', () => {
    expect(splitFrames(Buffer.concat(frames(5)), 4)).toBeUndefined()
  })

  it('takes a body of nothing but starts in good time', () => {
    const head = Buffer.from('e55a01010000000000000000000000000ff8', 'hex')
    const body = Buffer.concat(Array.from({ length: 58_000 }, () => head))
    const started = performance.now()
    splitFrames(body, 5000)
    expect(performance.now() - started).toBeLessThan(2000)
  })
})

it('survives any bytes: 10,000 random and bit-flipped bodies, each byte told once and nothing thrown', () => {
  let state = 7
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * below)
  }
  const mutated = () => {
    const body = Buffer.concat(frames(1 + random(2)))
    for (let flips = 1 + random(4); flips > 0; flips--) {
      const at = random(body.length)
      body[at] = (body[at] ?? 0) ^ (1 << random(8))
    }
    return random(4) === 0 ? body.subarray(0, random(body.length)) : body
  }
  const noise = () => Buffer.from(Array.from({ length: random(200) }, () => (random(20) === 0 ? 0xe5 : random(256))))
  const context = { receivedAt: noon, uid, site: home, memory: {} }
  let valid = 0
  for (let run = 0; run < 10_000; run++) {
    const body = run % 2 === 0 ? mutated() : noise()
    const pieces = referenceDecoder.split(body, 1000) ?? []
    expect(Buffer.concat(pieces).equals(body)).toBe(true)
    for (const piece of pieces) {
      const frame = referenceDecoder.decode(piece, context)
      if (frame.fields.map(({ raw }) => raw).join('') !== piece.toString('hex')) throw new Error(piece.toString('hex'))
      if (frame.status !== 'INVALID') valid += 1
    }
  }
  // Two frames stand in half of the damaged bodies, and one of them is often whole.
  expect(valid).toBeGreaterThan(500)
}, 60_000)
