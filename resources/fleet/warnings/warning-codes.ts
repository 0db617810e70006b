import { chemistries, chemistryNames } from '#resources/fleet/chemistries.ts'
import { filled, type Label } from '#schema/words.ts'
import type { Level } from './levels.ts'
import { type Direction, warnings } from './warnings.ts'

export type WarningCode = keyof typeof warnings
type WarningRow = (typeof warnings)[WarningCode]
type CodeOf<Row> = { [Code in WarningCode]: (typeof warnings)[Code] extends Row ? Code : never }[WarningCode]

/** Warnings that a board reports by a bit of `eventFlags`. */
export type FlagCode = CodeOf<{ flag: object }>
/** Warnings of a value that is held against thresholds. */
export type ThresholdCode = CodeOf<{ threshold: object }>

export const isWarningCode = (code: unknown): code is WarningCode => typeof code === 'string' && Object.hasOwn(warnings, code)
export const isFlagCode = (code: WarningCode): code is FlagCode => 'flag' in warnings[code]
export const isThresholdCode = (code: WarningCode): code is ThresholdCode => 'threshold' in warnings[code]

/** True where the value of a warning is how far the board's clock is off. */
export const isOfClock = (code: unknown): boolean => isWarningCode(code) && 'ofClock' in warnings[code]

const codes = Object.keys(warnings).filter(isWarningCode)
export const flagCodes = codes.filter(isFlagCode)
export const thresholdCodes = codes.filter(isThresholdCode)

/** Titles by code, as choices of a form. */
export const warningCodes = Object.fromEntries(codes.map((code) => [code, warnings[code].title])) as {
  readonly [Code in WarningCode]: WarningRow['title']
}

/** The title of a code; an unknown one is called by itself. */
export const warningTitle = (code: string): Label => (isWarningCode(code) ? warnings[code].title : [code, code])

const bits = Array.from({ length: 32 }, (_, bit) => bit)
const titleOfBit: ReadonlyMap<number, Label> = new Map(flagCodes.map((code) => [warnings[code].flag.bit, warnings[code].title]))

/** True for a set bit; flags have 32 bits, and JavaScript's bitwise operators would treat the highest one as a sign. */
export const hasBit = (flags: number, bit: number): boolean => Math.floor(flags / 2 ** bit) % 2 === 1

/** The flags that are set, in words; a bit without a warning is called by its number. */
export const flagsOf = (flags: number): Label[] =>
  bits.filter((bit) => hasBit(flags, bit)).map((bit) => titleOfBit.get(bit) ?? filled(['bit {bit}', 'бит {bit}'], { bit }))

/** A threshold that holds for the fleet until it is set otherwise. */
export type Standard = {
  code: ThresholdCode
  chemistry: string | null
  direction: Direction
  unit: string
  delayS: number
  levels: readonly Level[]
}

/** Every threshold that may be set for the fleet: cell voltages by chemistry, then the others. */
export const standards: readonly Standard[] = [...chemistryNames, null].flatMap((chemistry) =>
  thresholdCodes.flatMap((code): Standard[] => {
    const { levels, ...facts } = warnings[code].threshold
    if (typeof levels === 'string')
      return chemistry ? [{ code, chemistry, ...facts, levels: chemistries[chemistry][levels] }] : []
    return chemistry ? [] : [{ code, chemistry, ...facts, levels }]
  }),
)
