// Loads the outlook facts, which a built console splits off with the forms of actions.
import '#schema/later/action-forms.ts'
import { useDataProvider } from '@refinedev/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useRuleContext } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { isRequired } from '#schema/form/conditions.ts'
import { isEmpty } from '#schema/form/is-empty.ts'
import { check, createSchema } from '#schema/record-schema.ts'
import type { AnyResource } from '#schema/resource.ts'
import { holds, type RuleContext } from '#schema/rule.ts'
import { type Outlook, outlookPath, outlookSchema } from '#schema/wire/outlook.ts'
import { checkable } from '#views/form/form-values.ts'

/** Debounce of typing. */
const pauseMs = 400

type Asked = { missing: readonly string[]; body?: string }

/** The values in view that decide the outlook, as a request body; no body while one is missing or invalid. */
function askedOf(resource: AnyResource, values: Row, context: RuleContext): Asked {
  const names = resource.outlook?.values ?? []
  const fields = Object.fromEntries(
    names.flatMap((name) => {
      const field = resource.fields[name]
      return field && (!field.when || holds(field.when, values, context)) ? [[name, field]] : []
    }),
  )
  const given = Object.entries(fields).flatMap(([name, field]): [string, unknown][] =>
    isEmpty(values[name]) ? [] : [[name, checkable(values[name], field)]],
  )
  const missing = Object.entries(fields).flatMap(([name, field]) =>
    isRequired(field, values, context) && isEmpty(values[name]) ? [name] : [],
  )
  const checked = check(createSchema(fields), Object.fromEntries(given))
  return missing.length > 0 || !checked.ok ? { missing } : { missing, body: JSON.stringify(checked.value) }
}

function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return ms === 0 ? value : settled
}

export type OutlookState = {
  /** Required fields without a value. */
  missing: readonly string[]
  /** A value is invalid. */
  isFaulty: boolean
  /** True while the data belongs to earlier values. */
  isStale: boolean
  data: Outlook | undefined
  error: unknown
  retry: () => void
}

/**
 * The outlook of these values. Debounced while typing; an outdated request is aborted. `isStored`: the values of a stored
 * record need no debounce.
 */
export function useOutlook(resource: AnyResource, values: Row, isStored = false): OutlookState {
  const dataProvider = useDataProvider()
  const { missing, body } = askedOf(resource, values, useRuleContext()())
  const settled = useSettled(body, isStored ? 0 : pauseMs)
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: ['outlook', resource.name, settled],
    enabled: settled !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    queryFn: async (queryContext): Promise<Outlook> => {
      const meta = { queryContext, quiet: true }
      const payload: Record<string, unknown> = JSON.parse(settled ?? '{}')
      const answer = await dataProvider().custom?.({ url: outlookPath(resource.name), method: 'post', payload, meta })
      return outlookSchema.parse(answer?.data)
    },
  })
  return {
    missing,
    isFaulty: missing.length === 0 && body === undefined,
    isStale: settled !== body || isFetching || isPlaceholderData,
    data,
    error: error && !isFetching ? error : undefined,
    retry: () => void refetch(),
  }
}
