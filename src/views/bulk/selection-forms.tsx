import { useNavigate } from 'react-router'
import { useDefinitions, useMay, useSay } from '#fields/definitions.tsx'
import type { AnyResource } from '#schema/resource.ts'
import { Button } from '#ui/input/button.tsx'
import { pickedState } from '#views/form/picked-rows.ts'
import { createPath } from '#views/shared/paths.ts'
import { bulkWords } from './bulk-words.ts'

/** Opens forms of other resources that begin with the selected rows. */
export function SelectionForms({ resource, keys }: { resource: AnyResource; keys: ReadonlySet<string> }) {
  const sayLabel = useSay()
  const may = useMay()
  const navigate = useNavigate()
  const definitions = useDefinitions()
  return (resource.list?.forms ?? []).map(({ resource: name, field: path, label }) => {
    const target = definitions.get(name)
    const field = target?.fields[path]
    if (!target || field?.type !== 'references' || !may(name, 'create')) return null
    const most = field.maxItems ?? Number.POSITIVE_INFINITY
    return (
      <Button
        key={name}
        size="small"
        icon="plus"
        disabled={keys.size > most}
        title={keys.size > most ? sayLabel(bulkWords.tooMany, { max: most }) : undefined}
        onClick={() => navigate(createPath(target), { state: pickedState(path, [...keys]) })}
      >
        {sayLabel(label)}
      </Button>
    )
  })
}
