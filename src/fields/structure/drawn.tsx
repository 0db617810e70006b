import type { DisplayProps, FieldIn } from '#fields/field-kind.ts'
import { Flow } from './flow.tsx'
import { ListRows } from './list-rows.tsx'

const isGroup = (field: FieldIn<'group' | 'list'>): field is FieldIn<'group'> => field.type === 'group'

/** What is drawn of nested fields: the flow of a group, the rows of a list. */
export function Drawn({ field, ...props }: DisplayProps<'group' | 'list'>) {
  if (!isGroup(field)) return <ListRows {...props} field={field} />
  return field.flow && <Flow field={field} flow={field.flow} value={props.value} write={props.write} />
}
