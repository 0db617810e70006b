import type { Fields } from '#schema/field-types.ts'
import type { Action } from '#schema/resource.ts'

const none: Fields = {}

/** The fields of an action's form. In a build the forms of all actions come with this module: see build/slim-definitions.ts. */
export const formFieldsOf = (action: Action | undefined): Fields => action?.form ?? none
