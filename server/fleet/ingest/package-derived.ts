import { sql } from 'kysely'

/** Derived values of the packet "t"; its fields are decoded from the bytes outside of SQL. */
export const packageDerived = {
  isValid: sql`"t"."status" in ('VALID', 'DUPLICATE')`,
  fields: sql`null::jsonb`,
}
