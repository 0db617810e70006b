import { Random } from '#server/demo/random.ts'

/** A number of 32 bits out of a text (FNV-1a, mixed once more so that neighbours differ). */
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

/** Chance of one day of one thing: the same code and day give the same numbers. */
export const chanceOf = (code: string, day: number): Random => new Random(hashText(`${code} ${day}`))

/** From 0 up to 1, from a seed and a place alone: asked in any order, it answers the same. */
export const unitOf = (seed: number, place: number, channel = 0): number =>
  mix(seed ^ Math.imul(place + 1, 0x9e3779b1) ^ Math.imul(channel + 1, 0x7feb352d)) / 4_294_967_296

/** From −1 to 1, as `unitOf`. */
export const swingOf = (seed: number, place: number, channel = 0): number => 2 * unitOf(seed, place, channel) - 1

/** A number of the normal distribution, from two of `random`. */
export const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
