import { useState } from 'react'
import { useSay } from '#fields/definitions.tsx'
import type { FilterProps } from '#fields/field-kind.ts'
import { FilterFrame } from '#fields/filter-frame.tsx'
import { inputWords } from '#fields/input-words.ts'
import type { Filter } from '#schema/list-query.ts'
import { TextInput } from '#ui/input/text-input.tsx'

const askedOf = (filters: readonly Filter[]) => String(filters.find(({ op }) => op === 'like' || op === 'eq')?.values[0] ?? '')

/** Substring filter. */
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
