import type { Fields } from '#schema/field-types.ts'

/**
 * A journal records changes: the fields that hold a record's resource, id, title, the action, its reason, and the values before
 * and after. Every record shows its entries as History, with these columns.
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
  /** Field with the reason that was given. */
  reason: Path
  /** Field with the values before. */
  before: Path
  /** Field with the values after. */
  after: Path
  /** Columns of the tab History. */
  columns: readonly Path[]
  /** Values in `before` and `after` that are no field of the record. */
  details?: Fields
}
