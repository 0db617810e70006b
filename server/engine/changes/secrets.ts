import type { AnyResource } from '#schema/resource.ts'
import { placesOf } from './access/rights.ts'

/** Stands for a secret, which stays out of terminals, logs and plans. */
export const hiddenValue = '•••'

/** Paths of fields that are secrets, were, or are filled with one. */
function secretPaths(resource: AnyResource, known: AnyResource | undefined): string[] {
  const places = [...placesOf(resource.fields, resource.fields), ...placesOf(known?.fields ?? {}, resource.fields)]
  const own = places.filter(({ steps }) => steps.at(-1)?.type === 'secret').map(({ path }) => path)
  const filled = places.filter(({ steps }) => own.some((path) => steps.at(-1)?.backfill === `$record.${path}`))
  return [...own, ...filled.map(({ path }) => path)]
}

/** The secrets of a table, by present paths: values that no plan shows, nor a refused start. */
export class Secrets {
  readonly #paths: readonly string[]

  /** `known`: the applied definition of a resource. */
  constructor(resources: readonly AnyResource[], known: (resource: AnyResource) => AnyResource | undefined) {
    this.#paths = resources.flatMap((resource) => secretPaths(resource, known(resource)))
  }

  /** True for a secret, and for what holds one: a group, a list, or a set of unique fields, `area + code`. */
  has(path: string): boolean {
    return path
      .split(' + ')
      .some((one) =>
        this.#paths.some((secret) => one === secret || secret.startsWith(`${one}.`) || one.startsWith(`${secret}.`)),
      )
  }

  shown(path: string, value: unknown): unknown {
    return value !== null && value !== undefined && this.has(path) ? hiddenValue : value
  }
}
