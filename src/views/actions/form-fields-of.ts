import '#schema/later/action-forms.ts'
import type { Fields } from '#schema/field-types.ts'
import type { Action } from '#schema/resource.ts'

const none: Fields = {}

/** The fields of an action's form; empty for an action without a form. */
export const formFieldsOf = (action: Action | undefined): Fields => action?.form ?? none
