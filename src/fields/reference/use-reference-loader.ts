import { useDataProvider } from '@refinedev/core'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useDefinitions, useLanguage } from '#fields/definitions.tsx'
import type { FieldIn } from '#fields/field-kind.ts'
import { fieldText } from '#fields/field-text.ts'
import { plainSort, summaryOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type Language, say } from '#schema/words.ts'
import { recordName } from './reference-summary.ts'

export type ReferenceOption = { value: string; label: string; hint?: string | undefined; group?: string | undefined }
export type ReferenceLoader = (search: string, signal?: AbortSignal) => Promise<ReferenceOption[]>

const pageSize = 25

/** Query parameters that need the record's id. A bulk action has no single id: its options are loaded without them. */
const idParameter = /([?&])[^=&]*=\{id\}&?/g

/** The path with its placeholders filled; undefined while a value is missing. */
export function fillId(template: string, recordId: string | undefined): string | undefined {
  const path =
    recordId === undefined
      ? template.replaceAll(idParameter, '$1').replace(/[?&]$/, '')
      : template.replaceAll('{id}', encodeURIComponent(recordId))
  return path.includes('{') ? undefined : path
}

/** Name and secondary text of the summary. */
export function referenceOption(
  target: AnyResource | undefined,
  record: Readonly<Record<string, unknown>>,
  language: Language,
): ReferenceOption {
  const value = String(record.id)
  const second = target && summaryOf(target)[1]
  const [field, beside] = second ? [target?.fields[second], record[second]] : []
  const hint = field && typeof beside === 'string' ? fieldText(field, beside, { language }) : undefined
  return { value, label: recordName(target, record) ?? value, ...(hint ? { hint } : {}) }
}

/** Group heading of an option; undefined where the field has no groups. */
function groupOf(field: FieldIn<'reference' | 'references'>, row: Readonly<Record<string, unknown>>, language: Language) {
  if (field.type !== 'reference' || !field.groups) return {}
  const label = field.groups.labels[String(row[field.groups.by])]
  return label ? { group: say(label, language) } : {}
}

/** Loads the options of a reference by a server-side search. `recordId` fills the options path. */
export function useReferenceLoader(field: FieldIn<'reference' | 'references'>, recordId?: string): ReferenceLoader {
  const dataProvider = useDataProvider()
  const client = useQueryClient()
  const target = useDefinitions().get(field.to)
  const language = useLanguage()
  const from = field.options && fillId(field.options, recordId)
  const { to } = field
  return useCallback(
    async (search, signal) => {
      const { data } = await dataProvider().getList({
        resource: to,
        pagination: { currentPage: 1, pageSize, mode: 'server' },
        filters: search.trim() ? [{ field: 'q', operator: 'eq', value: search.trim() }] : [],
        sorters: target ? plainSort(target) : [],
        meta: { ...(from ? { from } : {}), ...(signal ? { queryContext: { client, queryKey: [], signal } } : {}) },
      })
      return data.map((record) => ({ ...referenceOption(target, record, language), ...groupOf(field, record, language) }))
    },
    [client, dataProvider, field, from, language, target, to],
  )
}
