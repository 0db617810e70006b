import type { ReactNode } from 'react'
import { useConsole, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { fieldText } from '#fields/field-text.ts'
import { useReferenceTitles } from '#fields/reference/use-reference-titles.ts'
import { type JournalPart, titleLabel } from '#schema/definition.ts'
import type { Journal } from '#schema/facts/journal-facts.ts'
import type { Field } from '#schema/field-types.ts'
import { isEmpty } from '#schema/form/is-empty.ts'
import { presentChoices, presentKind, presentName } from '#schema/former-names.ts'
import { isObject } from '#schema/is-object.ts'
import { journalLabel } from '#schema/journal/journal-words.ts'
import { permissionsIn } from '#schema/permissions.ts'
import type { AnyResource } from '#schema/resource.ts'
import { viewWords } from '#views/shared/words.ts'
import { entryField } from './entry-field.ts'
import { LoggedFilters } from './logged-filters.tsx'

type EntryProps = { journal: Journal; row: Row }
type Change = { name: string; field: Field | undefined; before: unknown; after: unknown; filtered?: AnyResource | undefined }

/** Number of changes shown before "more". */
const shownChanges = 4

const partsOf = (value: unknown): Row => (isObject(value) ? { ...value } : {})

/** Readable entry: action, kind, record, reason; codes become labels, other text stays. */
export function JournalWord({ part, journal, row }: EntryProps & { part: JournalPart }) {
  const sayLabel = useSay()
  const { definitions } = useConsole()
  return <span className="field-text">{sayLabel(journalLabel(part, { journal, row }, definitions))}</span>
}

/** Changes of a journal entry, field by field: before → after. */
export function RecordChanges({ journal, row }: EntryProps) {
  const sayLabel = useSay()
  const { definitions, permissions } = useConsole()
  const kind = presentKind(definitions, String(row[journal.kind]))
  const resource = definitions.get(kind)
  const before = partsOf(row[journal.before])
  const after = partsOf(row[journal.after])
  const { hidden } = permissionsIn(permissions, kind)
  const present = (name: string) => (resource ? presentName(resource.fields, name) : name)
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !hidden.includes(present(name)))
  const entry = { resource, action: String(row[journal.action]) }
  const fieldOf = (name: string) => entryField(entry, present(name), definitions)
  const changes = names.map((name): Change => {
    const filtered = journal.filters?.includes(name) ? resource : undefined
    return { name, field: fieldOf(name), before: before[name], after: after[name], filtered }
  })
  const rest = changes.slice(shownChanges)
  if (changes.length === 0) return null
  return (
    <div className="view-changes">
      <ChangeList changes={changes.slice(0, shownChanges)} />
      {rest.length > 0 && (
        <details>
          <summary>{sayLabel(viewWords.moreChanges, { count: rest.length })}</summary>
          <ChangeList changes={rest} />
        </details>
      )}
    </div>
  )
}

const ChangeList = ({ changes }: { changes: readonly Change[] }) => (
  <ul>
    {changes.map((change) => (
      <li key={change.name}>
        <ChangeLine {...change} />
      </li>
    ))}
  </ul>
)

function ChangeLine({ name, field, before, after, filtered }: Change) {
  const sayLabel = useSay()
  return (
    <>
      <span className="view-changes-name">{field ? sayLabel(field.label) : name}:</span>{' '}
      {before !== undefined && (
        <>
          <del>
            <Value field={field} value={before} />
          </del>
          {' → '}
        </>
      )}
      {filtered && isObject(after) ? (
        <LoggedFilters resource={filtered} filters={after} />
      ) : (
        <Value field={field} value={after} />
      )}
    </>
  )
}

type ValueProps = { field: Field | undefined; value: unknown }

function Value({ field, value }: ValueProps): ReactNode {
  const { language, zone } = useConsole()
  if (isEmpty(value)) return '—'
  if (field?.type === 'reference') return <Named to={field.to} id={String(value)} />
  if (field) return fieldText(field, presentChoices(field, value), { language, zone })
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The journal stores ids; viewers who may list the records see names. */
function Named({ to, id }: { to: string; id: string }) {
  const sayLabel = useSay()
  const { definitions } = useConsole()
  return sayLabel(titleLabel(definitions.get(to), useReferenceTitles(to, [id]).get(id) ?? id))
}
