import { useState } from 'react'
import type { Filter } from '#schema/list-query.ts'
import { TextInput } from '#ui/text-input.tsx'
import { useSay } from './definitions.tsx'
import type { FilterProps } from './field-kind.ts'
import { FilterFrame } from './filter-frame.tsx'
import { inputWords } from './input-words.ts'

const askedOf = (filters: readonly Filter[]) => String(filters.find(({ op }) => op === 'like' || op === 'eq')?.values[0] ?? '')

/** Contains these characters, wherever they stand. */
export function TextFilter(props: FilterProps) {
  const { path, filters } = props
  const sayLabel = useSay()
  const asked = askedOf(filters)
  const [draft, setDraft] = useState({ asked, text: asked })
  const text = draft.asked === asked ? draft.text : asked
  const read = (): Filter[] => (text.trim() ? [{ field: path, op: 'like', values: [text.trim()] }] : [])
  return (
    <FilterFrame {...props} read={read}>
      <TextInput
        value={text}
        maxLength={250}
        aria-label={sayLabel(inputWords.contains)}
        placeholder={sayLabel(inputWords.contains)}
        onChange={(next) => setDraft({ asked, text: next })}
      />
    </FilterFrame>
  )
}
