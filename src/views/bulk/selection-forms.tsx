import { useNavigate } from 'react-router'
import { useConsole, useMay, useSay } from '#fields/definitions.tsx'
import { permissionsIn } from '#schema/permissions.ts'
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
  const { definitions, permissions } = useConsole()
  return (resource.list?.forms ?? []).map(({ resource: name, field: path, label }) => {
    const target = definitions.get(name)
    const field = target?.fields[path]
    if (!target || field?.type !== 'references' || !may(name, 'create')) return null
    const { hidden, locked } = permissionsIn(permissions, name)
    if (hidden.includes(path) || locked.includes(path)) return null
    const most = field.maxItems ?? Number.POSITIVE_INFINITY
    const isTooMany = keys.size > most
    return (
      <Button
        key={name}
        size="small"
        icon="plus"
        disabled={isTooMany}
        onClick={() => navigate(createPath(target), { state: pickedState(path, [...keys]) })}
      >
        {isTooMany ? sayLabel(bulkWords.atMost, { name: sayLabel(label), max: most }) : sayLabel(label)}
      </Button>
    )
  })
}
