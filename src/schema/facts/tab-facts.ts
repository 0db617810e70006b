import type { Role } from '#schema/roles.ts'
import type { Label } from '#schema/words.ts'
import type { EmptyList } from './empty-facts.ts'

/** A sub-page of a record: a related list, some of its sections, or a named widget. */
export type Tab = {
  /** Label of the tab. */
  label: Label
  /** Roles that see it; default: all that see the record. */
  roles?: readonly Role[]
} & (
  | {
      /** Resource of its rows: those that reference this record, unless `from` or `match` is given. */
      resource: string
      /** Path of the call that returns the rows: `ess/{id}/people`. */
      from?: string
      /** Fields of the rows and their values: `{ essId: '$record.essId' }`. An empty value matches nothing. */
      match?: Readonly<Record<string, string>>
      /** Columns; default: those of the list. */
      columns?: readonly string[]
      /** Actions of this record above the rows. */
      actions?: readonly string[]
      /** Actions of this record in each row's menu; `$row.x` is a value of that row. */
      rowActions?: readonly string[]
      /** Offers to create a row whose reference to this record is set and read-only, to viewers who may create it. */
      create?: true
      /** Offers to set the reference of existing records to this one, to viewers who may edit them. */
      attach?: true
      /** Offers to remove rows from this record: the reference is cleared, or this record is removed from it. */
      detach?: true
      /** Opens rows inside this record, under this path segment: `package` gives `{id}/package/{id of the row}`. */
      opens?: string
      /** Texts of the empty tab; default: those of the list. */
      empty?: EmptyList
    }
  | {
      /** Sections that it shows, below the widget if there is one. */
      sections: readonly string[]
      /** Name of a widget of the console. */
      widget?: string
    }
  | {
      widget: string
      actions?: readonly string[]
    }
)
