import type { AnyResource } from '#schema/resource.ts'
import { composed, type LabelValue, say } from '#schema/words.ts'
import { problem } from '#server/base/problems.ts'
import { announceChange } from './answer-record.ts'
import { auditChange } from './audit-change.ts'
import { rulesOf } from './catalog.ts'
import { readFullRecord } from './reader.ts'
import type { Row, Work } from './resource-rules.ts'
import { refuseClosed, requireAccess, usedAs } from './row-access.ts'
import { kindsOf, lockedRow, type RowCall, refuseStale } from './update-record.ts'
import { usesOf } from './uses/incoming-references.ts'
import { type Engine, ruleContext } from './work.ts'
import { deleteRow, tableFields } from './writer.ts'

/** The sentence that says what to do instead; empty without one. */
const insteadOf = ({ deletion }: AnyResource): LabelValue => {
  const instead = deletion?.instead
  return instead ? composed((language) => `. ${say(instead, language)}`) : ''
}

/** Deletes a row, or lets its rules do it in their softer way. */
export async function deleteRecord(
  engine: Engine,
  call: RowCall & { version?: unknown; reason?: unknown },
  work: Work,
): Promise<void> {
  const { catalog } = engine
  const { resource, resources, id, version, reason } = call
  const before = await lockedRow(engine, call, work)
  const context = ruleContext(work.caller, work.now)
  const access = requireAccess(catalog, { resources, verb: 'delete', record: before, context })
  refuseStale(catalog, { record: before, used: usedAs(access), version }, work)
  const rules = rulesOf(catalog, kindsOf(catalog, resource, before))
  const answers: ('delete' | 'done')[] = []
  for (const { beforeDelete } of rules) if (beforeDelete) answers.push(await beforeDelete(before, work))
  refuseClosed(access.resources, { verb: 'delete', record: before, context })
  if (!answers.includes('done')) {
    const uses = await usesOf(catalog, { resource, id }, work)
    if (uses) throw problem('in-use', { ...uses, values: { instead: insteadOf(resource) } })
    await deleteRow(work.db, resource, id)
  }
  await traceDeletion(engine, { resource, before, id, reason }, work)
}

async function traceDeletion(
  { catalog }: Engine,
  { resource, before, id, reason }: { resource: AnyResource; before: Row; id: string; reason: unknown },
  work: Work,
) {
  const after = await readFullRecord(work.db, catalog, { resource, id, caller: work.caller })
  await auditChange(work, { action: 'delete', resource, fields: tableFields(catalog, resource), before, after, reason })
  const gone = { ...before, version: Number(before.version) + 1 }
  announceChange(catalog, { resource, record: after ?? gone, type: after ? 'updated' : 'deleted' }, work)
}
