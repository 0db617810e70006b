import { FieldDisplay } from '#fields/field-display.tsx'
import type { Row } from '#fields/field-kind.ts'
import { isEmpty } from '#schema/form/is-empty.ts'
import type { AnyResource } from '#schema/resource.ts'

/** The record's first status field, beside its title. */
export function HeadStatus({ resource, record }: { resource: AnyResource; record: Row }) {
  const found = Object.entries(resource.fields).find(([name, field]) => field.type === 'status' && !isEmpty(record[name]))
  return found ? <FieldDisplay field={found[1]} path={found[0]} row={record} /> : null
}
