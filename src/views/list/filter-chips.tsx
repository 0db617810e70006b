import { useConsole, useSay } from '#fields/definitions.tsx'
import type { Wording } from '#fields/field-kind.ts'
import { fieldText } from '#fields/field-text.ts'
import { useReferenceTitles } from '#fields/reference/use-reference-titles.ts'
import { fieldWords } from '#fields/words.ts'
import { fieldOf } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import type { Filter, FilterOp } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type Label, say } from '#schema/words.ts'
import { Tag } from '#ui/feedback/tag.tsx'
import { Button } from '#ui/input/button.tsx'
import { viewWords } from '#views/shared/words.ts'

const signs: Partial<Record<FilterOp, Label>> = {
  ne: fieldWords.not,
  gte: ['≥', '≥'],
  lte: ['≤', '≤'],
  like: ['∋', '∋'],
}

const maxNamed = 3

/** A condition as text: "A, B", "≥ 10.0 kWh", "Empty". */
export function filterText(field: Field, filter: Filter, wording: Wording, titles?: ReadonlyMap<string, string>): string {
  if (filter.op === 'null') return say(filter.values[0] === false ? fieldWords.filled : fieldWords.empty, wording.language)
  if (filter.op === 'like') return `“${String(filter.values[0])}”`
  const texts = filter.values.map((value) => titles?.get(String(value)) ?? fieldText(field, value, wording))
  const named = texts.slice(0, maxNamed).join(', ')
  const rest = texts.length > maxNamed ? ` +${texts.length - maxNamed}` : ''
  const sign = signs[filter.op]
  return `${sign ? `${say(sign, wording.language)} ` : ''}${named}${rest}`
}

export type FilterChipsProps = {
  resource: AnyResource
  filters: readonly Filter[]
  onChange: (filters: readonly Filter[]) => void
}

export function FilterChips({ resource, filters, onChange }: FilterChipsProps) {
  const sayLabel = useSay()
  if (filters.length === 0) return null
  return (
    <fieldset className="view-chips">
      <legend className="ui-hidden">{sayLabel(viewWords.filters)}</legend>
      {filters.map((filter) => (
        <Chip
          key={`${filter.field} ${filter.op}`}
          field={fieldOf(resource, filter.field)}
          filter={filter}
          onRemove={() => onChange(filters.filter((each) => each !== filter))}
        />
      ))}
      <Button kind="text" size="small" onClick={() => onChange([])}>
        {sayLabel(viewWords.clearFilters)}
      </Button>
    </fieldset>
  )
}

type ChipProps = { field: Field | undefined; filter: Filter; onRemove: () => void }

function Chip({ field, filter, onRemove }: ChipProps) {
  if (!field) return null
  if ('to' in field && filter.op !== 'null') return <ReferenceChip {...{ field, filter, onRemove }} to={field.to} />
  return <PlainChip {...{ field, filter, onRemove }} />
}

function ReferenceChip({ to, ...chip }: ChipProps & { field: Field; to: string }) {
  return <PlainChip {...chip} titles={useReferenceTitles(to, chip.filter.values.slice(0, maxNamed).map(String))} />
}

function PlainChip({ field, filter, titles, onRemove }: ChipProps & { field: Field; titles?: ReadonlyMap<string, string> }) {
  const { language, zone } = useConsole()
  const sayLabel = useSay()
  return (
    <Tag onRemove={onRemove}>
      {sayLabel(field.label)}: {filterText(field, filter, { language, zone }, titles)}
    </Tag>
  )
}
