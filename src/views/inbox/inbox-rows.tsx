import { memo, useId, useMemo } from 'react'
import { useDefinitions, useSay } from '#fields/definitions.tsx'
import { FieldDisplay } from '#fields/field-display.tsx'
import type { Row } from '#fields/field-kind.ts'
import { recordHint, referenceTitle, summaryPath } from '#fields/reference/reference-summary.ts'
import { fieldOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'
import { Badge } from '#ui/feedback/badge.tsx'
import { Checkbox } from '#ui/input/checkbox.tsx'
import { Link } from '#ui/layout/link.tsx'
import { fillWord, useUiWords } from '#ui/theme/ui-words.tsx'
import { CardLines } from '#views/cards/card-lines.tsx'
import type { CardPaths } from '#views/cards/card-of.ts'
import { listWords } from '#views/shared/list-words.ts'
import { groupLines } from './group-lines.ts'
import { inboxWords } from './inbox-words.ts'
import type { Gathered } from './use-inbox.ts'

type InboxRowsProps = {
  resource: AnyResource
  groups: readonly Gathered[]
  by: string
  /** Other pages may have more rows of a group. */
  isPart: boolean
  currentId: string | undefined
  ticked: ReadonlySet<string>
  href: (row: Row) => string
  rowTitle: (row: Row) => string
  onTick: (rows: readonly Row[], isOn: boolean) => void
}

export function InboxRows({ resource, groups, by, isPart, currentId, ticked, ...row }: InboxRowsProps) {
  const lines = useMemo(() => groupLines(resource, by), [resource, by])
  return groups.map((group) => (
    <section key={group.key} className="inbox-group">
      <GroupHead {...{ resource, group, by, isPart, ticked }} onTick={row.onTick} />
      <ul>
        {group.rows.map((each) => (
          <InboxRow
            key={String(each.id)}
            {...{ resource, lines, ...row }}
            row={each}
            isCurrent={String(each.id) === currentId}
            isTicked={ticked.has(String(each.id))}
          />
        ))}
      </ul>
    </section>
  ))
}

type GroupHeadProps = Pick<InboxRowsProps, 'resource' | 'by' | 'isPart' | 'ticked' | 'onTick'> & { group: Gathered }

/** Names a group and ticks its rows as one: those on the page. */
function GroupHead({ resource, group: { first, rows }, by, isPart, ticked, onTick }: GroupHeadProps) {
  const sayLabel = useSay()
  const id = useId()
  const field = fieldOf(resource, by)
  const count = rows.filter((row) => ticked.has(String(row.id))).length
  return (
    <div className="inbox-group-head">
      <Checkbox
        id={id}
        checked={count === rows.length}
        indeterminate={count > 0 && count < rows.length}
        onChange={(isOn) => onTick(rows, isOn)}
        aria-label={sayLabel(inboxWords.selectGroup)}
        aria-labelledby={`${id} ${id}-group`}
      />
      <h2>
        <span id={`${id}-group`}>{field && <FieldDisplay field={field} path={by} row={first} place="link" />}</span>
        <Badge
          count={rows.length}
          text={isPart ? `${rows.length}+` : undefined}
          label={sayLabel(isPart ? inboxWords.onPage : listWords.inTotal)}
        />
      </h2>
    </div>
  )
}

type InboxRowProps = Pick<InboxRowsProps, 'resource' | 'href' | 'rowTitle' | 'onTick'> & {
  row: Row
  lines: CardPaths
  isCurrent: boolean
  isTicked: boolean
}

const InboxRow = memo(function InboxRow({ resource, row, lines, isCurrent, isTicked, href, rowTitle, onTick }: InboxRowProps) {
  const words = useUiWords()
  const definitions = useDefinitions()
  /** A reference in the first line names the row: with the second text of its summary, such as the name of a site. */
  const hint = (path: string) => {
    const field = fieldOf(resource, path)
    if (field?.type !== 'reference') return undefined
    const target = definitions.get(field.to)
    const title = referenceTitle(target, row, path, valueAt(row, path))
    const name = recordHint(target, valueAt(row, summaryPath(path)), title)
    return name && `${title} · ${name}`
  }
  return (
    <li data-row data-current={isCurrent || undefined}>
      <Checkbox
        checked={isTicked}
        onChange={(isOn) => onTick([row], isOn)}
        aria-label={fillWord(words.selectRow, { row: rowTitle(row) })}
      />
      <Link href={href(row)} className="inbox-row" data-row-link="" aria-current={isCurrent || undefined}>
        <CardLines
          resource={resource}
          row={row}
          lines={lines}
          draw={(path) => (lines[0].includes(path) ? hint(path) : undefined)}
        />
      </Link>
    </li>
  )
})
