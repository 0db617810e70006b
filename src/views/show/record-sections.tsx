import { Suspense } from 'react'
import { useMay, useResourcePermissions, useRuleContext, useSay } from '#fields/definitions.tsx'
import { FieldDisplay } from '#fields/field-display.tsx'
import type { Row } from '#fields/field-kind.ts'
import { RecordPlace } from '#fields/file/record-place.ts'
import { fieldKindOf } from '#fields/registry.ts'
import { fieldOf, sectionsOf } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import { isEmpty } from '#schema/form/is-empty.ts'
import type { AnyResource } from '#schema/resource.ts'
import { holds, topOf, valueAt } from '#schema/rule.ts'
import type { Label } from '#schema/words.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Card } from '#ui/layout/card.tsx'
import { DescriptionList } from '#ui/layout/description-list.tsx'
import { lazyCode } from '#ui/layout/lazy-chunk.tsx'
import { isChangeable } from '#views/actions/action-offer.ts'
import { sectionTitle } from '#views/shared/section-title.ts'

const SectionOutlook = lazyCode(() =>
  import('#views/form/outlook/record-outlook.tsx').then((module) => ({ default: module.SectionOutlook })),
)

export type RecordSectionsProps = {
  resource: AnyResource
  record: Row
  names: readonly string[]
  /** True while only the list row is known. */
  isPartial: boolean
}

export function RecordSections({ resource, record, names, isPartial }: RecordSectionsProps) {
  const sayLabel = useSay()
  const ruleContext = useRuleContext()
  const { hidden } = useResourcePermissions(resource.name)
  const sections = sectionsOf(resource)
  const context = ruleContext()
  // Only those who may save the form may ask for its outlook.
  const mayEdit = useMay()(resource.name, 'edit') && !isPartial && isChangeable(resource, 'edit', record, context)
  const cards = names.map((name) => {
    const section = sections[name]
    if (!section || ('when' in section && section.when && !holds(section.when, record, context))) return null
    const paths = section.fields.filter((path) => !hidden.includes(topOf(path)))
    const title = sectionTitle(resource, name)
    const facts = paths.flatMap((path) => {
      const field = fieldOf(resource, path)
      const applies = !field?.when || holds(field.when, record, context) || !isEmpty(valueAt(record, path))
      if (!field || field.type === 'secret' || !applies) return []
      return isSameAs(title, field, paths) ? partsOf(path, field) : [{ path, field }]
    })
    if (facts.length === 0) return null
    return (
      <Card key={name} title={sayLabel(title)}>
        <DescriptionList
          items={facts.map(({ path, field }) => ({
            key: path,
            label: sayLabel(field.label),
            value: <Fact {...{ path, field, record, isPartial }} />,
            wide: fieldKindOf(field).wide,
          }))}
        />
        {resource.outlook && mayEdit && (
          <Suspense>
            <SectionOutlook resource={resource} record={record} names={paths} />
          </Suspense>
        )}
      </Card>
    )
  })
  return (
    <RecordPlace value={resource.name}>
      <div className="view-sections">{cards}</div>
    </RecordPlace>
  )
}

type FieldAt = { path: string; field: Field }

/** A group that repeats its section's title, or fills the section alone, has no heading. */
const isSameAs = ([title]: Label, { type, label }: Field, paths: readonly string[]): boolean =>
  type === 'group' && (paths.length === 1 || label[0] === title)

const partsOf = (path: string, field: Field): FieldAt[] =>
  field.type === 'group' ? Object.entries(field.fields).map(([name, part]) => ({ path: `${path}.${name}`, field: part })) : []

type FactProps = { path: string; field: Field; record: Row; isPartial: boolean }

function Fact({ path, field, record, isPartial }: FactProps) {
  if (isPartial && valueAt(record, path) === undefined) return <Skeleton width={120} />
  return <FieldDisplay field={field} path={path} row={record} place="record" />
}
