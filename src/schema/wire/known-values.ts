import { z } from 'zod'

/** `ess.location.region` → `ess/values/location.region`. */
export const knownValuesPath = (valuesOf: string): string => valuesOf.replace('.', '/values/')

/** Values that a text field has, the most frequent first. */
export const knownValuesSchema = z.array(
  z.object({ value: z.string(), count: z.int().min(1).meta({ description: 'Records that have it' }) }),
)
