import { useDefinitions } from '#fields/definitions.tsx'
import type { InputKind, InputProps } from '#fields/field-kind.ts'
import { SelectInput } from '#ui/antd/lazy-antd.ts'
import { referenceTitle } from './reference-summary.ts'
import { useReferenceLoader } from './use-reference-loader.ts'
import { useReferenceTitles } from './use-reference-titles.ts'

const idOf = (id: unknown) => (id === undefined || id === null ? undefined : String(id))

function One({ field, path, value, onChange, control, record }: InputProps<'reference'>) {
  const target = useDefinitions().get(field.to)
  const load = useReferenceLoader(field, idOf(record.id))
  const chosen = typeof value === 'string' ? value : undefined
  const known = chosen === undefined ? undefined : referenceTitle(target, record, path, chosen)
  const titles = useReferenceTitles(field.to, chosen !== undefined && known === chosen ? [chosen] : [])
  return (
    <SelectInput
      {...control}
      load={load}
      clearable={!field.required}
      selectedOptions={chosen === undefined ? [] : [{ value: chosen, label: titles.get(chosen) ?? known ?? chosen }]}
      value={chosen}
      onChange={(next: string | undefined) => onChange(next ?? null)}
    />
  )
}

function Many({ field, value, onChange, control, record }: InputProps<'references'>) {
  const load = useReferenceLoader(field, idOf(record.id))
  const chosen = Array.isArray(value) ? value.map(String) : []
  const titles = useReferenceTitles(field.to, chosen)
  return (
    <SelectInput
      {...control}
      multiple
      load={load}
      selectedOptions={chosen.map((id) => ({ value: id, label: titles.get(id) ?? id }))}
      value={chosen}
      onChange={(next: string[]) => onChange(next)}
    />
  )
}

export const referenceInputs = {
  reference: { Input: One },
  references: { Input: Many, wide: true },
} satisfies { reference: InputKind<'reference'>; references: InputKind<'references'> }
