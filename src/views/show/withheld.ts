import type { Row } from '#fields/field-kind.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Label } from '#schema/words.ts'

/** Why actions of a record are not offered to whom they are not permitted. */
export function whyWithheld({ actions = {}, fields }: AnyResource, record: Row): Label | undefined {
  const withheld = Object.values(actions).find(({ permit = '' }) => record[permit] === false)
  return fields[withheld?.permit ?? '']?.help
}
