import { Problem } from '#server/base/problems.ts'
import type { Row, Work } from '#server/engine/records/resource-rules.ts'
import { refuseStepOf } from '#server/engine/records/update-record.ts'
import { type Engine, ruleContext } from '#server/engine/records/work.ts'
import { tableFields } from '#server/engine/records/writer.ts'
import { type Candidate, checkValues, refuseUnmetCondition } from './action-values.ts'

/** `isHandled`: a handler of the rules decides what follows, and not the definition. */
type Asked = { candidate: Candidate; sent: Row; record: Row; isHandled: boolean }

/** Throws for an unmet condition, and for a state in the form or in `set` that can not follow. */
function refuseImpossible({ catalog }: Engine, { candidate, sent, record, isHandled }: Asked, work: Work): void {
  if (sent.version !== undefined && sent.version !== record.version) return
  const { resource, action } = candidate
  refuseUnmetCondition(candidate, record, ruleContext(work.caller, work.now))
  if (isHandled) return
  const given = Object.keys(action.form ?? {}).map((name) => [name, sent[name]])
  const change = { ...Object.fromEntries(given), ...action.set, version: record.version }
  refuseStepOf(change, tableFields(catalog, resource), record)
}

/** Validated values. An impossible action is reported before faults of its form, which need no mending then. */
export const possibleValues = (engine: Engine, asked: Asked, work: Work) =>
  checkValues(engine, asked, work).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'invalid') refuseImpossible(engine, asked, work)
    throw error
  })
