import type { Role } from '#schema/roles.ts'
import type { Label } from '#schema/words.ts'
import type { EmptyList } from './empty-facts.ts'

/** A sub-page of a record: a related list, some of its sections, or a widget that the console knows by name. */
export type Tab = {
  /** Words of the tab. */
  label: Label
  /** Roles that see it; without it all that see the record. */
  roles?: readonly Role[]
} & (
  | {
      /** Its rows are records of this resource: those that reference this record, unless `from` or `match` says otherwise. */
      resource: string
      /** Path of the call that answers the rows: `ess/{id}/people`. */
      from?: string
      /** Fields of the rows with the values that they have: `{ essId: '$record.essId' }`. An empty value has no rows. */
      match?: Readonly<Record<string, string>>
      /** Columns of the rows; without it those of their list. */
      columns?: readonly string[]
      /** Actions of this record above the rows. */
      actions?: readonly string[]
      /** Actions of this record in the menu of each row, where `$row.x` is a value of that row. */
      rowActions?: readonly string[]
      /** A new row is made from here, its reference to this record filled in and closed; offered to those who may make it. */
      create?: true
      /** Records are chosen here whose reference then points to this one; offered to those who may change it. */
      attach?: true
      /** Rows leave this record: their reference is emptied, or goes on without it. */
      detach?: true
      /** Its rows open inside this record, under this segment: `package` gives `{id}/package/{id of the row}`. */
      opens?: string
      /** Words of the tab while it has no row; without it those of the list. */
      empty?: EmptyList
    }
  | {
      /** Sections that it shows, under the widget if one is named. */
      sections: readonly string[]
      /** Component that the console knows by this name. */
      widget?: string
    }
  | {
      widget: string
      actions?: readonly string[]
    }
)
