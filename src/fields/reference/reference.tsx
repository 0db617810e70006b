import { useDefinitions, useMay, useSay } from '#fields/definitions.tsx'
import type { DisplayProps, FieldIn, FieldKind, Place, Row } from '#fields/field-kind.ts'
import { fieldWords } from '#fields/words.ts'
import { routeOf, titleLabel } from '#schema/definition.ts'
import { valueAt } from '#schema/rule.ts'
import { Link } from '#ui/layout/link.tsx'
import { recordHint, recordName, referenceTitle, summaryPath } from './reference-summary.ts'

type RecordLinkProps = { to: string; id: string; title: string; hint: string | undefined; place: Place; isUnseen: boolean }

/** A record by its name, linked for viewers who may open it. `isUnseen`: the server sends this viewer no summary. */
function RecordLink({ to, id, title, hint, place, isUnseen }: RecordLinkProps) {
  const target = useDefinitions().get(to)
  const may = useMay()
  const say = useSay()
  if (isUnseen && place !== 'link')
    return (
      <span className="field-text field-none" title={id}>
        {say(fieldWords.unseen)}
      </span>
    )
  if (place === 'link' || !target || !may(to, 'show'))
    return (
      <span className="field-text" title={hint}>
        {say(titleLabel(target, title))}
      </span>
    )
  return (
    <Link className="ui-link field-text" title={hint} href={`/${routeOf(target)}/${encodeURIComponent(id)}`}>
      {say(titleLabel(target, title))}
      {place === 'heading' && hint && ` ${hint}`}
    </Link>
  )
}

function Reference({ field, path, value, row, place }: DisplayProps<'reference'>) {
  const target = useDefinitions().get(field.to)
  const title = referenceTitle(target, row, path, value)
  const summary = valueAt(row, summaryPath(path))
  const hint = recordHint(target, summary, title)
  return <RecordLink to={field.to} id={String(value)} {...{ title, hint, place }} isUnseen={summary === null} />
}

const idsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

function summaryOfId(row: Row, path: string, id: string): unknown {
  const summaries = valueAt(row, summaryPath(path))
  return Array.isArray(summaries) ? (summaries.find((summary) => valueAt(summary, 'id') === id) ?? null) : undefined
}

function References({ field, path, value, row, place }: DisplayProps<'references'>) {
  const target = useDefinitions().get(field.to)
  return (
    <span className="field-tags">
      {idsOf(value).map((id, index, { length }) => {
        const summary = summaryOfId(row, path, id)
        const title = recordName(target, summary) ?? id
        const hint = recordHint(target, summary, title)
        return (
          <span key={id}>
            <RecordLink to={field.to} id={id} {...{ title, hint, place }} isUnseen={summary === null} />
            {index < length - 1 && ', '}
          </span>
        )
      })}
    </span>
  )
}

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
