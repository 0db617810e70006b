import { useDataProvider } from '@refinedev/core'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { summaryOf, titleOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { useDefinitions } from './definitions.tsx'
import type { FieldIn } from './field-kind.ts'
import { recordTitle } from './reference-summary.ts'

export type ReferenceOption = { value: string; label: string; hint?: string | undefined }
export type ReferenceLoader = (search: string, signal?: AbortSignal) => Promise<ReferenceOption[]>

const pageSize = 25

/** The path with its id; undefined where the id is needed and there is none. */
function fillId(template: string, recordId: string | undefined): string | undefined {
  if (!template.includes('{id}')) return template
  return recordId === undefined ? undefined : template.replaceAll('{id}', encodeURIComponent(recordId))
}

/** Title and, quieter, what else the summary says. */
export function referenceOption(target: AnyResource | undefined, record: Readonly<Record<string, unknown>>): ReferenceOption {
  const value = String(record.id)
  const second = target && summaryOf(target).find((name) => name !== titleOf(target))
  const hint = second ? record[second] : undefined
  return { value, label: recordTitle(target, record) ?? value, ...(typeof hint === 'string' ? { hint } : {}) }
}

/** Finds the records that a reference may point to, the first of them by a search on the server. `recordId` fills the options path. */
export function useReferenceLoader(field: FieldIn<'reference' | 'references'>, recordId?: string): ReferenceLoader {
  const dataProvider = useDataProvider()
  const client = useQueryClient()
  const target = useDefinitions().get(field.to)
  const from = field.options && fillId(field.options, recordId)
  const { to } = field
  return useCallback(
    async (search, signal) => {
      const { data } = await dataProvider().getList({
        resource: to,
        pagination: { currentPage: 1, pageSize, mode: 'server' },
        filters: search.trim() ? [{ field: 'q', operator: 'eq', value: search.trim() }] : [],
        meta: { ...(from ? { from } : {}), ...(signal ? { queryContext: { client, queryKey: [], signal } } : {}) },
      })
      return data.map((record) => referenceOption(target, record))
    },
    [client, dataProvider, from, target, to],
  )
}
