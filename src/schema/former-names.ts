import type { Fields } from './field-types.ts'

/** The names that a field or a resource had before, the last one first. */
export const namesBefore = ({ was }: { was?: string | readonly string[] }): readonly string[] =>
  typeof was === 'string' ? [was] : (was ?? [])

/** The present name of a field by any name that it had: records of the past keep those of their time. */
export const presentName = (fields: Fields, name: string): string =>
  Object.hasOwn(fields, name)
    ? name
    : (Object.entries(fields).find(([, field]) => namesBefore(field).includes(name))?.[0] ?? name)
