import { useCallback } from 'react'
import { useDefinitions, useLanguage } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { listOf, titleOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { nameOf, recordHeading, referencesOf } from '#views/show/record-heading.ts'

/** A distinguishing title of a row: its title, or, when that is only an id or a kind, the record it references. */
export function useRowTitle(resource: AnyResource): (row: Row) => string {
  const definitions = useDefinitions()
  const language = useLanguage()
  return useCallback(
    (row) => {
      const wording = { language, definitions }
      if (titleOf(resource) !== 'id') return recordHeading(resource, row, wording)
      const [first] = referencesOf(resource, row, listOf(resource).columns)
      return first ? nameOf(first, row, wording) : String(row.id)
    },
    [resource, definitions, language],
  )
}
