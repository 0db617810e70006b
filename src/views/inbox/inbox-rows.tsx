import { memo } from 'react'
import { useSay } from '#fields/definitions.tsx'
import { FieldDisplay } from '#fields/field-display.tsx'
import type { Row } from '#fields/field-kind.ts'
import { fieldOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { Badge } from '#ui/feedback/badge.tsx'
import { Checkbox } from '#ui/input/checkbox.tsx'
import { Link } from '#ui/layout/link.tsx'
import { fillWord, useUiWords } from '#ui/theme/ui-words.tsx'
import { CardLines } from '#views/cards/card-lines.tsx'
import { viewWords } from '#views/shared/words.ts'
import type { Gathered } from './use-inbox.ts'

type InboxRowsProps = {
  resource: AnyResource
  groups: readonly Gathered[]
  by: string
  currentId: string | undefined
  ticked: ReadonlySet<string>
  href: (row: Row) => string
  rowTitle: (row: Row) => string
  onTick: (row: Row, isOn: boolean) => void
}

export function InboxRows({ resource, groups, by, currentId, ticked, ...row }: InboxRowsProps) {
  const sayLabel = useSay()
  const field = fieldOf(resource, by)
  return groups.map((group) => (
    <section key={group.key} className="inbox-group">
      <h2>
        {field && <FieldDisplay field={field} path={by} row={group.first} place="link" />}
        <Badge count={group.rows.length} label={sayLabel(viewWords.records)} />
      </h2>
      <ul>
        {group.rows.map((each) => (
          <InboxRow
            key={String(each.id)}
            {...{ resource, ...row }}
            row={each}
            isCurrent={String(each.id) === currentId}
            isTicked={ticked.has(String(each.id))}
          />
        ))}
      </ul>
    </section>
  ))
}

type InboxRowProps = Pick<InboxRowsProps, 'resource' | 'href' | 'rowTitle' | 'onTick'> & {
  row: Row
  isCurrent: boolean
  isTicked: boolean
}

const InboxRow = memo(function InboxRow({ resource, row, isCurrent, isTicked, href, rowTitle, onTick }: InboxRowProps) {
  const words = useUiWords()
  return (
    <li data-row data-current={isCurrent || undefined}>
      <Checkbox
        checked={isTicked}
        onChange={(isOn) => onTick(row, isOn)}
        aria-label={fillWord(words.selectRow, { row: rowTitle(row) })}
      />
      <Link href={href(row)} className="inbox-row" data-row-link="" aria-current={isCurrent || undefined}>
        <CardLines resource={resource} row={row} />
      </Link>
    </li>
  )
})
