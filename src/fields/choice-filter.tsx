import { choiceLabel, choicesOf } from '#schema/field-types.ts'
import type { FilterValue } from '#schema/list-query.ts'
import type { Label } from '#schema/words.ts'
import { CheckboxGroup } from '#ui/checkbox-group.tsx'
import { useSay } from './definitions.tsx'
import type { FilterProps } from './field-kind.ts'
import { FilterFrame } from './filter-frame.tsx'
import { fieldWords } from './words.ts'

type Choice = { value: FilterValue; label: Label }

/** Any of a few values. */
function ChoiceFilter({ choices, ...props }: FilterProps & { choices: readonly Choice[] }) {
  const { field, path, filters, onChange } = props
  const sayLabel = useSay()
  const chosen = filters.find(({ op }) => op === 'eq')?.values.map(String) ?? []
  const choose = (keys: string[]) => {
    const values = choices.map(({ value }) => value).filter((value) => keys.includes(String(value)))
    onChange(values.length > 0 ? [{ field: path, op: 'eq', values }] : [])
  }
  return (
    <FilterFrame {...props}>
      <CheckboxGroup
        label={sayLabel(field.label)}
        options={choices.map(({ value, label }) => ({ value: String(value), label: sayLabel(label) }))}
        values={chosen}
        onChange={choose}
      />
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
