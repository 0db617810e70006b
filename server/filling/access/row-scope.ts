import { allFields } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { fieldsOfRule, topOf } from '#schema/rule.ts'
import type { Label } from '#schema/words.ts'
import { invalid, problem } from '#server/base/problems.ts'
import { familyOf } from '#server/engine/records/catalog.ts'
import type { Row, Work } from '#server/engine/records/resource-rules.ts'
import { inScope } from '#server/engine/records/row-access.ts'
import { kindsOf } from '#server/engine/records/update-record.ts'
import { ruleContext } from '#server/engine/records/work.ts'
import { isStored } from '#server/engine/sql/column-types.ts'
import { recordsById } from '#server/filling/existing-records.ts'
import { fault, type Planning } from '#server/filling/outcome.ts'

const outside: Label = [
  'This record would be outside of what your role works with',
  'Эта запись была бы вне того, с чем работает ваша роль',
]

/** True when stored values decide on the scope; what the server works out is known of written records only. */
function isDecidedByValues(resource: AnyResource, { caller }: Work): boolean {
  const scope = resource.scope?.[caller.role]
  const fields = allFields(resource)
  return (scope ? fieldsOfRule(scope) : []).every((path) => {
    const field = fields[topOf(path)]
    return !!field && isStored(field)
  })
}

const isIn = (kinds: readonly AnyResource[], record: Row, work: Work) =>
  kinds.some((kind) => inScope(kind, record, ruleContext(work.caller, work.now)))

/** Throws 400 for a new row outside of the caller's own scope, as `createRecord` refuses it. */
export function refuseOutside(kinds: readonly AnyResource[], values: Row, work: Work): void {
  const [at, by] = [work.now.toISOString(), work.caller.userId]
  const record = { createdAt: at, createdBy: by, updatedAt: at, updatedBy: by, ...values }
  const isDecided = kinds.every((kind) => isDecidedByValues(kind, work))
  if (isDecided && !isIn(kinds, record, work)) throw invalid([fault('', 'rule', outside)])
}

/** Throws 403 where one of the written records is outside of it, for scopes that values alone do not decide. */
export async function refuseWrittenOutside(
  { engine, work }: Planning,
  resource: AnyResource,
  made: readonly Row[],
): Promise<void> {
  const { catalog } = engine
  if (familyOf(catalog, resource).every((kind) => isDecidedByValues(kind, work))) return
  const ids = made.map(({ id }) => String(id))
  const records = await recordsById({ engine, work }, resource, ids)
  for (const record of records.values()) if (!isIn(kindsOf(catalog, resource, record), record, work)) throw problem('forbidden')
}
