import type { Figure } from './facts/figure-facts.ts'
import { dayMs } from './format/durations.ts'
import type { AnyResource } from './resource.ts'

const weekMs = 7 * dayMs

/** A figure with its resource; the key is unique among the figures of the resource. */
export type NamedFigure = { resource: AnyResource; key: string; figure: Figure }

/** All figures, in the order of the menu and of each definition. */
export const figuresOf = (resources: Iterable<AnyResource>): NamedFigure[] =>
  [...resources].flatMap((resource) =>
    Object.entries(resource.figures ?? {}).map(([key, figure]) => ({ resource, key, figure })),
  )

/** Filters of the list behind a figure, as its address has them at a moment. */
export function figureFilters({ filters = {} }: Figure, now: Date): Record<string, string[]> {
  const moments: Readonly<Record<string, Date>> = { $now: now, $weekAgo: new Date(now.getTime() - weekMs) }
  const filled = (value: unknown) => moments[String(value)]?.toISOString() ?? String(value)
  return Object.fromEntries(Object.entries(filters).map(([key, value]) => [key, [value].flat().map(filled)]))
}
