import { useState } from 'react'
import { useSay } from '#fields/definitions.tsx'
import type { FilterProps } from '#fields/field-kind.ts'
import { FilterFrame } from '#fields/filter-frame.tsx'
import { inputWords } from '#fields/input-words.ts'
import { fieldWords } from '#fields/words.ts'
import { choiceLabel, choicesOf } from '#schema/facts/choices.ts'
import type { FilterValue } from '#schema/list-query.ts'
import type { Label } from '#schema/words.ts'
import { CheckboxGroup } from '#ui/input/checkbox-group.tsx'
import { SearchInput } from '#ui/input/search-input.tsx'

type Choice = { value: FilterValue; label: Label }

/** Above this number of options the filter is a search instead of check boxes. */
const manyChoices = 12

function ChoiceFilter({ choices, ...props }: FilterProps & { choices: readonly Choice[] }) {
  const { field, path, filters, onChange } = props
  const sayLabel = useSay()
  const [search, setSearch] = useState('')
  const chosen = filters.find(({ op }) => op === 'eq')?.values.map(String) ?? []
  const all = choices.map(({ value, label }) => ({ value: String(value), label: sayLabel(label) }))
  const shown = all.filter(({ label }) => label.toLocaleLowerCase().includes(search.trim().toLocaleLowerCase()))
  const choose = (keys: string[]) => {
    const isShown = (key: string) => shown.some(({ value }) => value === key)
    const kept = (key: string) => keys.includes(key) || (chosen.includes(key) && !isShown(key))
    const values = choices.map(({ value }) => value).filter((value) => kept(String(value)))
    onChange(values.length > 0 ? [{ field: path, op: 'eq', values }] : [])
  }
  return (
    <FilterFrame {...props}>
      <div className="field-choices">
        {all.length > manyChoices && <SearchInput value={search} onChange={setSearch} label={sayLabel(inputWords.search)} />}
        <CheckboxGroup label={sayLabel(field.label)} options={shown} values={chosen} onChange={choose} />
        {shown.length === 0 && <p className="field-filter-note">{sayLabel(inputWords.noMatches)}</p>}
      </div>
    </FilterFrame>
  )
}

const yesAndNo: readonly Choice[] = [
  { value: true, label: fieldWords.yes },
  { value: false, label: fieldWords.no },
]

export const BooleanFilter = (props: FilterProps<'boolean'>) => <ChoiceFilter {...props} choices={yesAndNo} />

export function EnumFilter(props: FilterProps<'enum' | 'status'>) {
  const { field } = props
  return <ChoiceFilter {...props} choices={choicesOf(field).map((value) => ({ value, label: choiceLabel(field, value) }))} />
}

export function TagsFilter(props: FilterProps<'tags'>) {
  const { options = [], label } = props.field
  const field = { type: 'enum', label, options } as const
  return <ChoiceFilter {...props} choices={choicesOf(field).map((value) => ({ value, label: choiceLabel(field, value) }))} />
}
