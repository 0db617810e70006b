import { useDefinitions, useMay } from '#fields/definitions.tsx'
import type { DisplayProps, FieldIn, FieldKind, Place, Row } from '#fields/field-kind.ts'
import { routeOf } from '#schema/definition.ts'
import { valueAt } from '#schema/rule.ts'
import { Link } from '#ui/layout/link.tsx'
import { recordTitle, referenceTitle, summaryPath } from './reference-summary.ts'

type RecordLinkProps = { to: string; id: string; title: string; place: Place }

/** A record by its name; a link only for those who may open it. */
function RecordLink({ to, id, title, place }: RecordLinkProps) {
  const target = useDefinitions().get(to)
  const may = useMay()
  if (place === 'link' || !target || !may(to, 'show')) return <span className="field-text">{title}</span>
  return (
    <Link className="ui-link field-text" href={`/${routeOf(target)}/${encodeURIComponent(id)}`}>
      {title}
    </Link>
  )
}

function Reference({ field, path, value, row, place }: DisplayProps<'reference'>) {
  const target = useDefinitions().get(field.to)
  return <RecordLink to={field.to} id={String(value)} title={referenceTitle(target, row, path, value)} place={place} />
}

const idsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

function summaryOfId(row: Row, path: string, id: string): unknown {
  const summaries = valueAt(row, summaryPath(path))
  return Array.isArray(summaries) ? summaries.find((summary) => valueAt(summary, 'id') === id) : undefined
}

function References({ field, path, value, row, place }: DisplayProps<'references'>) {
  const target = useDefinitions().get(field.to)
  return (
    <span className="field-tags">
      {idsOf(value).map((id) => (
        <RecordLink
          key={id}
          to={field.to}
          id={id}
          title={recordTitle(target, summaryOfId(row, path, id)) ?? id}
          place={place}
        />
      ))}
    </span>
  )
}

/** Pointers to other records. */
export const referenceKinds = {
  reference: {
    Display: Reference,
    toText: (_field: FieldIn<'reference'>, value: unknown) => String(value),
  },
  references: {
    Display: References,
    toText: (_field: FieldIn<'references'>, value: unknown) => idsOf(value).join(', '),
  },
} satisfies { reference: FieldKind<'reference'>; references: FieldKind<'references'> }
