import { useConsole, useSay } from '#fields/definitions.tsx'
import { inputWords } from '#fields/input-words.ts'
import { fieldOf } from '#schema/definition.ts'
import { journalPart } from '#schema/journal/journal-parts.ts'
import { type Filter, parseFilter } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { FilterText } from '#views/shared/filter-text.tsx'
import { wordedJournal } from './journal-choices.ts'

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

/** One condition; the raw call where neither the definition nor the journal has the field. */
function Condition({ resource, name, texts }: ConditionProps) {
  const sayLabel = useSay()
  const { definitions, language } = useConsole()
  if (name === 'q') return `${sayLabel(inputWords.search)}: ${texts.join(', ')}`
  const parsed = parseFilter(resource, name, texts)
  const filter: Filter = 'filter' in parsed ? parsed.filter : { field: name, op: 'eq', values: texts }
  const field =
    'filter' in parsed
      ? fieldOf(wordedJournal(resource, definitions, language).chips, filter.field)
      : journalPart(name, definitions)
  return field ? <FilterText field={field} filter={filter} /> : `${name}: ${texts.join(', ')}`
}
