import type { Definitions } from '#schema/definition.ts'
import type { Fields } from '#schema/field-types.ts'
import { formFieldsOf } from '#views/actions/form-fields-of.ts'

const none: Fields = {}

/** What a board can be told: the fields of the form that tells it. */
export function configurationFields(definitions: Definitions): Fields {
  const { desired } = formFieldsOf(definitions.get('control-pcb')?.actions?.configure)
  return desired?.type === 'group' ? desired.fields : none
}
