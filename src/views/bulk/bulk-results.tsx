import { useSay } from '#fields/definitions.tsx'
import type { Tone } from '#schema/field-types.ts'
import type { Action, AnyResource } from '#schema/resource.ts'
import type { Label } from '#schema/words.ts'
import { ModalDialog } from '#ui/antd/lazy-antd.ts'
import { StatusDot } from '#ui/feedback/status-dot.tsx'
import { Button } from '#ui/input/button.tsx'
import { useRowTitle } from '#views/list/use-row-title.ts'
import { viewWords } from '#views/shared/words.ts'
import { bulkWords } from './bulk-words.ts'
import type { BulkResult } from './run-bulk.ts'

export type BulkResultsProps = {
  resource: AnyResource
  action: Action
  results: readonly BulkResult[]
  onClose: () => void
}

const looks = {
  failed: { tone: 'bad', label: bulkWords.failed },
  skipped: { tone: 'idle', label: bulkWords.bulkSkipped },
  done: { tone: 'good', label: bulkWords.bulkOk },
} as const satisfies Record<BulkResult['outcome'], { tone: Tone; label: Label }>

const places = Object.keys(looks)

/** Result of an action by row, failures first. */
export function BulkResults({ resource, action, results, onClose }: BulkResultsProps) {
  const sayLabel = useSay()
  const rowTitle = useRowTitle(resource)
  const count = (outcome: BulkResult['outcome']) => results.filter((result) => result.outcome === outcome).length
  const sum = { done: count('done'), failed: count('failed'), skipped: count('skipped') }
  const sorted = results.toSorted((a, b) => places.indexOf(a.outcome) - places.indexOf(b.outcome))
  return (
    <ModalDialog
      open
      title={sayLabel(bulkWords.bulkDone, { name: sayLabel(action.label) })}
      onClose={onClose}
      footer={<Button onClick={onClose}>{sayLabel(viewWords.close)}</Button>}
    >
      <p role="status">{sayLabel(bulkWords.bulkSum, sum)}</p>
      <div className="view-results">
        <table>
          <thead>
            <tr>
              <th scope="col">{sayLabel(bulkWords.record)}</th>
              <th scope="col">{sayLabel(bulkWords.result)}</th>
            </tr>
          </thead>
          <tbody>
            {sorted.map(({ id, row, outcome, message }) => (
              <tr key={id}>
                <td>{rowTitle(row)}</td>
                <td>
                  <StatusDot tone={looks[outcome].tone}>{message ?? sayLabel(looks[outcome].label)}</StatusDot>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </ModalDialog>
  )
}
