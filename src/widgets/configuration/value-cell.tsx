import { FieldDisplay } from '#fields/field-display.tsx'
import type { Row } from '#fields/field-kind.ts'
import type { Field } from '#schema/field-types.ts'

/** Lists and groups are shown with all that is in them: that they differ would not be seen in their length. */
const isDeep = ({ type }: Field) => type === 'list' || type === 'group'

/** One value of a configuration. */
export const ValueCell = ({ field, name, row }: { field: Field; name: string; row: Row }) => (
  <FieldDisplay field={field} path={name} row={row} place={isDeep(field) ? 'record' : 'cell'} />
)
