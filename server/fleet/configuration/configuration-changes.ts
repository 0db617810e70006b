import { isDeepStrictEqual } from 'node:util'
import { serverSettings } from '#resources/fleet/server-settings.ts'
import { isObject } from '#schema/is-object.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'

/** A value without nulls: boards omit null. */
function set(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(set)
  if (!isObject(value)) return value ?? null
  const given = Object.entries(value).filter(([, part]) => part !== null && part !== undefined)
  return Object.fromEntries(given.map(([name, part]) => [name, set(part)]))
}

/** Names of differing values; null equals absent. */
export const changedValues = (before: Row, after: Row): string[] =>
  [...new Set([...Object.keys(after), ...Object.keys(before)])].filter(
    (name) => !isDeepStrictEqual(set(before[name]), set(after[name])),
  )

/**
 * Configuration drift: fields whose reported value differs from the desired one, in the order of `names`, then fields that only
 * the board reports. Fields that the board does not report do not exist there, and settings of the server are never sent to it.
 */
export function driftOf(desired: Row, reported: Row | null, names: readonly string[]): string[] {
  const changed = new Set(reported ? changedValues(desired, reported).filter((name) => Object.hasOwn(reported, name)) : [])
  for (const name of serverSettings) changed.delete(name)
  return [...new Set([...names, ...changed])].filter((name) => changed.has(name))
}
