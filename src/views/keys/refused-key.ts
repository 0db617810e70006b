import type { Row } from '#fields/field-kind.ts'
import { unmetReason } from '#schema/format/unmet-rule.ts'
import type { Action, AnyResource } from '#schema/resource.ts'
import type { RuleContext } from '#schema/rule.ts'
import type { Label } from '#schema/words.ts'
import { isNotPermitted } from '#views/actions/action-offer.ts'

type Refused = { resource: AnyResource; action: Action; row: Row; context: RuleContext }

/** Why an action is not offered on a row: the viewer may not, or what its condition needs. */
export function refusalOf({ resource, action, row, context }: Refused): Label {
  const flag = isNotPermitted(action, row) ? resource.fields[action.permit ?? ''] : undefined
  return flag?.help ?? unmetReason(action.when, { resource, record: row, context })
}
