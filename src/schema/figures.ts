import type { Figure } from './facts/figure-facts.ts'
import type { MenuCount } from './facts/menu-facts.ts'
import { filterTime } from './facts/relative-times.ts'
import type { AnyResource } from './resource.ts'

/** A figure with its resource; the key is unique among the figures of the resource. */
export type NamedFigure = { resource: AnyResource; key: string; figure: Figure }

/** All figures, in the order of the menu and of each definition. */
export const figuresOf = (resources: Iterable<AnyResource>): NamedFigure[] =>
  [...resources].flatMap((resource) =>
    Object.entries(resource.figures ?? {}).map(([key, figure]) => ({ resource, key, figure })),
  )

/** Query filters of a figure or count at a given time. */
export function figureFilters(
  resource: AnyResource,
  { filters = {} }: Pick<Figure, 'filters'>,
  now: Date,
): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(filters).map(([key, given]) => [
      key,
      [given].flat().map((value) => filterTime(resource, key, value, now) ?? String(value)),
    ]),
  )
}

export const menuCountOf = ({ menu }: AnyResource): MenuCount | undefined => (menu ? menu.count : undefined)
