import { useResourcePermissions, useSay } from '#fields/definitions.tsx'
import { FieldDisplay } from '#fields/field-display.tsx'
import type { Row } from '#fields/field-kind.ts'
import { fieldOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { topOf, valueAt } from '#schema/rule.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import type { DescriptionItem } from '#ui/layout/description-list.tsx'

type About = { resource: AnyResource; record: Row; isPartial: boolean }

/** Renders fields of a record as label and value; a placeholder while loading. */
export function useFacts({ resource, record, isPartial }: About): (paths: readonly string[]) => DescriptionItem[] {
  const sayLabel = useSay()
  const { hidden } = useResourcePermissions(resource.name)
  return (paths) =>
    paths.flatMap((path) => {
      const field = fieldOf(resource, path)
      if (!field || hidden.includes(topOf(path))) return []
      const isComing = isPartial && valueAt(record, path) === undefined
      const value = isComing ? (
        <Skeleton key={path} width={100} />
      ) : (
        <FieldDisplay key={path} field={field} path={path} row={record} place="record" />
      )
      return [{ key: path, label: sayLabel(field.label), value }]
    })
}
