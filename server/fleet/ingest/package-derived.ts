import { sql } from 'kysely'

/** What is worked out of the packet "t"; its fields are read from its bytes, which is not SQL's work. */
export const packageDerived = {
  isValid: sql`"t"."status" in ('VALID', 'DUPLICATE')`,
  fields: sql`null::jsonb`,
}
