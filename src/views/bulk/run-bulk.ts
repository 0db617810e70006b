import type { Row } from '#fields/field-kind.ts'
import type { Action } from '#schema/resource.ts'
import { holds, type RuleContext } from '#schema/rule.ts'
import { isNotPermitted } from '#views/actions/action-offer.ts'
import { problemOf } from '#views/shared/problem.ts'

export type BulkResult = {
  id: string
  row: Row
  outcome: 'done' | 'skipped' | 'failed'
  message?: string
  /** Response of the call. */
  answer?: unknown
}

/** True when the row's own values rule the action out. A row known only by its id is not ruled out. */
export function isRuledOut(action: Action, row: Row, context: RuleContext): boolean {
  const isKnown = Object.keys(row).length > 1
  return isKnown && (isNotPermitted(action, row) || (action.when !== undefined && !holds(action.when, row, context)))
}

/** Concurrent calls: enough for a thousand rows, without overloading the server. */
const lanes = 4

export type BulkJob = {
  rows: ReadonlyMap<string, Row>
  action: Action
  context: RuleContext
  run: (id: string, row: Row) => Promise<unknown>
  onProgress: (done: number) => void
}

/** Runs an action on each row with bounded concurrency and returns the result of each. Never rejects. */
export async function runBulk({ rows, action, context, run, onProgress }: BulkJob): Promise<BulkResult[]> {
  const waiting = [...rows].values()
  const results: BulkResult[] = []
  const runOne = async (id: string, row: Row): Promise<BulkResult> => {
    if (isRuledOut(action, row, context)) return { id, row, outcome: 'skipped' }
    try {
      return { id, row, outcome: 'done', answer: await run(id, row) }
    } catch (error) {
      return { id, row, outcome: 'failed', message: problemOf(error).message }
    }
  }
  const work = async () => {
    for (const [id, row] of waiting) {
      results.push(await runOne(id, row))
      onProgress(results.length)
    }
  }
  await Promise.all(Array.from({ length: lanes }, work))
  return results
}
