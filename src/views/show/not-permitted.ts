import type { Row } from '#fields/field-kind.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Label } from '#schema/words.ts'
import { isNotPermitted } from '#views/actions/action-offer.ts'

/** Reason why editing or an action is not permitted. */
export function whyNotPermitted(resource: AnyResource, record: Row): Label | undefined {
  const { actions = {}, fields } = resource
  const notPermitted = [resource, ...Object.values(actions)].find((part) => isNotPermitted(part, record))
  return fields[notPermitted?.permit ?? '']?.help
}
