import { type Definitions, fieldOf } from '#schema/definition.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'

/** Frame fields whose codes are those of another record's field. */
const elsewhere: Readonly<Record<string, readonly [resource: string, path: string]>> = {
  resetReason: ['control-pcb', 'board.lastResetReason'],
  state: ['firmware-update', 'status'],
  failure: ['firmware-update', 'failureCode'],
}

const result: Field = {
  type: 'enum',
  label: ['Result', 'Результат'],
  options: {
    APPLIED: ['Applied', 'Применена'],
    REJECTED: ['Refused', 'Отклонена'],
    REPORTED: ['Reported unasked', 'Сообщена без запроса'],
  },
}

/** Fields by the names that frames give to their codes: those of the packet, of other records, and of frames alone. */
export function frameChoices({ fields }: AnyResource, definitions: Definitions): Fields {
  const found = Object.entries(elsewhere).flatMap(([name, [resource, path]]) => {
    const definition = definitions.get(resource)
    const field = definition && fieldOf(definition, path)
    return field ? [[name, field]] : []
  })
  return { ...fields, ...Object.fromEntries(found), result }
}
