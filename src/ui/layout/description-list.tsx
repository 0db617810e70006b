import type { ReactNode } from 'react'
import { classes } from '#ui/theme/classes.ts'

export type DescriptionItem = {
  key: string
  label: ReactNode
  value: ReactNode
  /** Takes the whole row: long text, lists, code. */
  wide?: boolean | undefined
}
export type DescriptionListProps = {
  items: readonly DescriptionItem[]
  loading?: boolean | undefined
  /** Short values: more columns. */
  compact?: boolean | undefined
}

/** Label and value pairs, in as many columns as fit. */
export function DescriptionList({ items, loading, compact }: DescriptionListProps) {
  return (
    <dl
      className={classes('ui-facts', compact && 'ui-facts-compact', loading && 'ui-facts-loading')}
      aria-busy={loading || undefined}
    >
      {items.map((item) => (
        <div key={item.key} className={classes('ui-fact', item.wide && 'ui-fact-wide')}>
          <dt>{item.label}</dt>
          <dd>{loading ? <span className="ui-skeleton" /> : item.value}</dd>
        </div>
      ))}
    </dl>
  )
}
