import { Random } from '#server/demo/random.ts'

/** Hashes a text to 32 bits (FNV-1a with a final mix, so that similar texts differ). */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return mix(hash)
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** Random numbers of a day and a code: deterministic. */
export const chanceOf = (code: string, day: number): Random => new Random(hashText(`${code} ${day}`))

/** In [0, 1), from a seed and a position: independent of the order of calls. */
export const unitOf = (seed: number, place: number, channel = 0): number =>
  mix(seed ^ Math.imul(place + 1, 0x9e3779b1) ^ Math.imul(channel + 1, 0x7feb352d)) / 4_294_967_296

/** In [-1, 1), as `unitOf`. */
export const swingOf = (seed: number, place: number, channel = 0): number => 2 * unitOf(seed, place, channel) - 1

/** A normally distributed number. */
export const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
