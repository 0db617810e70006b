import type { Field, Fields } from '#schema/field-types.ts'
import { presentPath } from '#schema/former-names.ts'
import type { AnyResource } from '#schema/resource.ts'
import { placesOf } from './access/rights.ts'

/** Stands for a secret, which stays out of terminals, logs and plans. */
export const hiddenValue = '•••'

/** True for one path, and for what is around it or in it. */
const overlaps = (one: string, other: string) => one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`)

const recordPrefix = '$record.'

/** Present path of the field that fills another one, if there is one. */
const sourceOf = (now: Fields, { backfill }: Field): string | undefined =>
  typeof backfill === 'string' && backfill.startsWith(recordPrefix)
    ? presentPath(now, backfill.slice(recordPrefix.length))
    : undefined

/** Present paths of fields that are secrets, were, or are filled with what holds one. */
function secretPaths(resources: readonly AnyResource[], before: readonly AnyResource[]): string[] {
  const now: Fields = Object.assign({}, ...resources.map(({ fields }) => fields))
  const places = [...resources, ...before].flatMap(({ fields }) => [...placesOf(fields, now)])
  const found = new Set<string>()
  const isFound = ({ steps }: (typeof places)[number]) => {
    const field = steps.at(-1)
    const source = field && sourceOf(now, field)
    return field?.type === 'secret' || (source !== undefined && [...found].some((path) => overlaps(path, source)))
  }
  // A field that is filled may fill another one.
  for (let size = -1; size < found.size; ) {
    size = found.size
    for (const place of places) if (isFound(place)) found.add(place.path)
  }
  return [...found]
}

/** The secrets of a table, by present paths: values that no plan shows, nor a refused start. */
export class Secrets {
  readonly #paths: readonly string[]

  /** Both: definitions of the table. `before`: the applied ones, also of resources that are gone, whose columns are left. */
  constructor(resources: readonly AnyResource[], before: readonly AnyResource[]) {
    this.#paths = secretPaths(resources, before)
  }

  /** True for a secret, and for what holds one: a group, a list, or a set of unique fields, `area + code`. */
  has(path: string): boolean {
    return path.split(' + ').some((one) => this.#paths.some((secret) => overlaps(one, secret)))
  }

  shown(path: string, value: unknown): unknown {
    return value !== null && value !== undefined && this.has(path) ? hiddenValue : value
  }
}
