import type { Fields } from '#schema/field-types.ts'

/**
 * A journal records changes: its fields hold a record's resource, id, title, the action, its reason, and the values before and
 * after. Every record shows its entries in the History tab, with these columns.
 */
export type Journal<Path extends string = string> = {
  /** Field with the name of the record's resource. */
  kind: Path
  /** Field with the id of the record. */
  id: Path
  /** Field with the title of the record. */
  title: Path
  /** Field with the name of the action. */
  action: Path
  /** Field with the stated reason. */
  reason: Path
  /** Field with the values before. */
  before: Path
  /** Field with the values after. */
  after: Path
  /** Columns of the History tab. */
  columns: readonly Path[]
  /** Fields for values in `before` and `after` that the record does not have. */
  details?: Fields
  /** Names in `details` of what holds the filters of a list, an object by field and operator; shown as lists show filters. */
  filters?: readonly string[]
}
