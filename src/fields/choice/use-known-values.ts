import { useDataProvider } from '@refinedev/core'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '#fields/definitions.tsx'
import type { FieldIn } from '#fields/field-kind.ts'
import { formatCount } from '#schema/format/format.ts'
import { isAllowed } from '#schema/permissions.ts'
import { topOf } from '#schema/rule.ts'
import { knownValuesPath, knownValuesSchema } from '#schema/wire/known-values.ts'

export type KnownValue = { value: string; hint: string }

/** Words that a field offers, with the number of records that have each; none where they cannot be read. */
export function useKnownValues({ valuesOf }: FieldIn<'tags'>): readonly KnownValue[] {
  const dataProvider = useDataProvider()
  const { permissions, language } = useConsole()
  const mayRead = valuesOf !== undefined && isAllowed(permissions, topOf(valuesOf), 'list')
  const { data = [] } = useQuery({
    queryKey: ['known-values', valuesOf],
    enabled: mayRead,
    queryFn: async (queryContext) => {
      const meta = { queryContext, quiet: true }
      const answer = await dataProvider().custom?.({ url: knownValuesPath(valuesOf ?? ''), method: 'get', meta })
      return knownValuesSchema.parse(answer?.data)
    },
  })
  return data.map(({ value, count }) => ({ value, hint: formatCount(count, language) }))
}
