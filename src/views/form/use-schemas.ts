import { useCallback, useMemo } from 'react'
import type { Fields } from '#schema/field-types.ts'
import type { check } from '#schema/record-schema.ts'

type Schema = Parameters<typeof check>[0]

/** Memo: one schema per set of visible fields, since building one on every keystroke is noticeable. Keep `make` stable. */
export function useSchemas(make: (fields: Fields) => Schema): (fields: Fields) => Schema {
  const made = useMemo(() => ({ make, schemas: new Map<string, Schema>() }), [make])
  return useCallback(
    (fields) => {
      const key = Object.entries(fields)
        .map(([name, { required }]) => (required === true ? `${name}*` : name))
        .join()
      const schema = made.schemas.get(key) ?? made.make(fields)
      made.schemas.set(key, schema)
      return schema
    },
    [made],
  )
}
