import '#schema/later/action-forms.ts'
import '#schema/later/list-facts.ts'
import { useNavigate } from 'react-router'
import { useConsole, useMay, useSay } from '#fields/definitions.tsx'
import { permissionsIn } from '#schema/permissions.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { MenuEntry } from '#ui/overlay/menu.tsx'
import { pickedState } from '#views/form/picked-rows.ts'
import { createPath } from '#views/shared/paths.ts'
import { bulkWords } from './bulk-words.ts'

/** Entries that open forms of other resources, which begin with the selected rows. */
export function useSelectionForms(resource: AnyResource, keys: ReadonlySet<string>): MenuEntry[] {
  const sayLabel = useSay()
  const may = useMay()
  const navigate = useNavigate()
  const { definitions, permissions } = useConsole()
  return (resource.list?.forms ?? []).flatMap(({ resource: name, field: path, label }) => {
    const target = definitions.get(name)
    const field = target?.fields[path]
    if (!target || field?.type !== 'references' || !may(name, 'create')) return []
    const { hidden, locked } = permissionsIn(permissions, name)
    if (hidden.includes(path) || locked.includes(path)) return []
    const most = field.maxItems ?? Number.POSITIVE_INFINITY
    const isTooMany = keys.size > most
    return [
      {
        key: name,
        label: isTooMany ? sayLabel(bulkWords.atMost, { name: sayLabel(label), max: most }) : sayLabel(label),
        icon: 'plus' as const,
        disabled: isTooMany,
        onSelect: () => navigate(createPath(target), { state: pickedState(path, [...keys]) }),
      },
    ]
  })
}
