import type { Row } from '#fields/field-kind.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Label } from '#schema/words.ts'
import { isWithheld } from '#views/actions/action-offer.ts'

/** Reason why editing or actions are not permitted to the viewer. */
export function whyWithheld(resource: AnyResource, record: Row): Label | undefined {
  const { actions = {}, fields } = resource
  const withheld = [resource, ...Object.values(actions)].find((part) => isWithheld(part, record))
  return fields[withheld?.permit ?? '']?.help
}
