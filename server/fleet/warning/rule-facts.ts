import type { Channel } from '#resources/fleet/channel-of.ts'
import { isObject } from '#schema/is-object.ts'
import type { SiteFacts } from '#server/frames/site-facts.ts'
import type { Limits } from './limits/limits.ts'

/** Input of the rules: one sample and facts about its board. */
export type RuleFacts = {
  values: Readonly<Partial<Record<Channel, number | string | null>>>
  site: SiteFacts | undefined
  /** Rated capacity of the site in Ah; null where the nameplate lacks it. */
  capacityAh: number | null
  /** Own use of the system in W; null when the nameplate lacks it. */
  ownUseW: number | null
  /** Phases of the grid that are connected; null when neither the nameplate nor the model has them. */
  gridPhases: number | null
  /** Nominal grid values; null when neither the nameplate nor the model has them. */
  gridNominalV: number | null
  gridNominalHz: number | null
  socMinPct: number
  /** Clock offset of the board in seconds; null for a frame without a time. */
  clockOffS: number | null
  /** Starts of the board within the last hour. */
  startsInHour: number
  /** How far the meters were off within the last hour, this sample included; absent where the sample stands alone. */
  metersOffPct?: readonly number[]
  /** Thresholds of the fleet. */
  limits?: Limits
}

/** Board-specific thresholds, which replace the fleet's. */
export type Override = { raise: number; clear: number; delayS: number }

/** Overrides of a configuration by code; invalid ones are skipped. */
export function overridesOf(given: unknown): ReadonlyMap<string, Override> {
  const rows: unknown[] = Array.isArray(given) ? given : []
  return new Map(
    rows.filter(isObject).flatMap(({ code, raise, clear, delayS }): [string, Override][] => {
      const isWhole = typeof code === 'string' && typeof raise === 'number' && typeof clear === 'number'
      return isWhole ? [[code, { raise, clear, delayS: typeof delayS === 'number' ? delayS : 0 }]] : []
    }),
  )
}

/** A channel's number; undefined when not measured or doubted. */
export function numberIn({ values }: RuleFacts, name: Channel): number | undefined {
  const value = values[name]
  return typeof value === 'number' ? value : undefined
}
