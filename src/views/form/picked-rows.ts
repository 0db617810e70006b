import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { FormStart } from './form-start.ts'

/** Rows of a list that a form begins with, in the state of the history entry: hundreds of ids are too long for an address. */
export const pickedState = (field: string, ids: readonly string[]) => ({ picked: { field, ids } })

/** Initial values from the history entry; undefined where it holds none for a field of references of this resource. */
export function pickedStart(resource: AnyResource, state: unknown): FormStart | undefined {
  const picked = isObject(state) ? state.picked : undefined
  if (!isObject(picked) || typeof picked.field !== 'string' || !Array.isArray(picked.ids)) return undefined
  const { field, ids } = picked
  if (resource.fields[field]?.type !== 'references') return undefined
  return { given: {}, filled: { [field]: ids.map(String) }, shown: {}, key: `picked ${field}` }
}
