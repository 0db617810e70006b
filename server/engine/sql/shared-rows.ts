import { type RawBuilder, sql } from 'kysely'

/** Select of exactly one row for each row of the table "t", under an alias that no other row of the resource has. */
export type SharedRow = { as: string; select: RawBuilder<unknown> }
/** Value over rows that several derived fields use. */
export type SharedValue = { of: readonly SharedRow[]; value: RawBuilder<unknown> }
export type DerivedSql = RawBuilder<unknown> | SharedValue

const isShared = (derived: DerivedSql): derived is SharedValue => 'of' in derived
const rowSql = ({ as, select }: SharedRow) => sql`(${select}) as ${sql.id(as)}`

/** The value with a read of its own for each of its rows: for conditions, orders and single values. */
export const standalone = (derived: DerivedSql): RawBuilder<unknown> =>
  isShared(derived) ? sql`(select ${derived.value} from ${sql.join(derived.of.map(rowSql))})` : derived

/** Rows beside the table "t" of one select: its columns read each of them once, however many use it. */
export class RowsBeside {
  readonly #rows = new Set<SharedRow>()

  valueOf(derived: DerivedSql): RawBuilder<unknown> {
    if (!isShared(derived)) return derived
    for (const row of derived.of) this.#rows.add(row)
    return derived.value
  }

  /** Joins of the rows, to follow "t" in the `from` clause; read once all columns are made. */
  joins(): RawBuilder<unknown> {
    const joins = [...this.#rows].map((row) => sql` cross join lateral ${rowSql(row)}`)
    return joins.length === 0 ? sql`` : sql.join(joins, sql``)
  }
}
