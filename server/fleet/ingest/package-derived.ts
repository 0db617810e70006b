import { sql } from 'kysely'

/** Derived SQL of the packet "t"; its fields are decoded in JavaScript. */
export const packageDerived = {
  isValid: sql`"t"."status" in ('VALID', 'DUPLICATE')`,
  fields: sql`null::jsonb`,
}
