import { valueSchema } from '#schema/value-schema.ts'

/** An e-mail address in the body of a call. */
export const emailSchema = valueSchema({ type: 'email', label: ['E-mail', 'Эл. почта'] }).transform(String)
