import type { Definitions } from '#schema/definition.ts'
import type { Fields } from '#schema/field-types.ts'
import { formFieldsOf } from '#views/actions/form-fields-of.ts'

const none: Fields = {}

/** Fields of a board's configuration form. */
export function configurationFields(definitions: Definitions): Fields {
  const { desired } = formFieldsOf(definitions.get('control-pcb')?.actions?.configure)
  return desired?.type === 'group' ? desired.fields : none
}
