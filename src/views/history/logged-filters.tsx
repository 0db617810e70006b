import { useSay } from '#fields/definitions.tsx'
import { inputWords } from '#fields/input-words.ts'
import { fieldOf } from '#schema/definition.ts'
import { parseFilter } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { FilterText } from '#views/shared/filter-text.tsx'

type LoggedFiltersProps = { resource: AnyResource; filters: Readonly<Record<string, unknown>> }

/** The filters of a logged list as its chips said them: "Status: Active; Owner: Ann Lee". */
export function LoggedFilters({ resource, filters }: LoggedFiltersProps) {
  return Object.entries(filters).map(([key, value], index) => (
    <span key={key}>
      {index > 0 && '; '}
      <Condition resource={resource} name={key} texts={[value].flat().map(String)} />
    </span>
  ))
}

type ConditionProps = { resource: AnyResource; name: string; texts: readonly string[] }

/** One condition; the raw call where the definition no longer has the field. */
function Condition({ resource, name, texts }: ConditionProps) {
  const sayLabel = useSay()
  const parsed = parseFilter(resource, name, texts)
  const filter = 'filter' in parsed ? parsed.filter : undefined
  const field = filter && fieldOf(resource, filter.field)
  if (!filter || !field) return `${name === 'q' ? sayLabel(inputWords.search) : name}: ${texts.join(', ')}`
  return <FilterText field={field} filter={filter} />
}
