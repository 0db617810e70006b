import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSay } from '#fields/definitions.tsx'
import type { FieldIn } from '#fields/field-kind.ts'
import { inputWords } from '#fields/input-words.ts'
import { fieldWords } from '#fields/words.ts'
import { Checkbox } from '#ui/input/checkbox.tsx'
import { SearchInput } from '#ui/input/search-input.tsx'
import { useReferenceLoader } from './use-reference-loader.ts'
import { useReferenceTitles } from './use-reference-titles.ts'

export type ReferenceChoicesProps = {
  field: FieldIn<'reference' | 'references'>
  chosen: readonly string[]
  onChange: (ids: readonly string[]) => void
}

/** A search over the records of a reference; selected ones come first. */
export function ReferenceChoices({ field, chosen, onChange }: ReferenceChoicesProps) {
  const sayLabel = useSay()
  const [search, setSearch] = useState('')
  const titles = useReferenceTitles(field.to, chosen)
  const load = useReferenceLoader(field)
  const query = useQuery({
    queryKey: ['reference-choices', field.to, field.options, search],
    queryFn: ({ signal }) => load(search, signal),
    placeholderData: (before) => before,
  })
  const found = (query.data ?? []).filter(({ value }) => !chosen.includes(value))
  const shown = [...chosen.map((value) => ({ value, label: titles.get(value) ?? value })), ...found]
  const toggle = (value: string, isOn: boolean) => onChange(isOn ? [...chosen, value] : chosen.filter((id) => id !== value))
  return (
    <div className="field-choices">
      <SearchInput value={search} onChange={setSearch} label={sayLabel(inputWords.search)} />
      <fieldset className="ui-check-group">
        <legend className="ui-hidden">{sayLabel(field.label)}</legend>
        {shown.map(({ value, label }) => (
          <Checkbox key={value} checked={chosen.includes(value)} onChange={(isOn) => toggle(value, isOn)}>
            {label}
          </Checkbox>
        ))}
      </fieldset>
      <p className="field-filter-note" aria-live="polite">
        {query.isError && sayLabel(inputWords.searchFailed)}
        {query.isPending && !query.isError && sayLabel(fieldWords.loading)}
        {query.isSuccess && found.length === 0 && sayLabel(inputWords.noMatches)}
      </p>
    </div>
  )
}
