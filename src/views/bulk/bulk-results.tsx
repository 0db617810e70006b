import '#schema/later/action-forms.ts'
import { useSay } from '#fields/definitions.tsx'
import type { Reveal } from '#schema/facts/action-facts.ts'
import type { Tone } from '#schema/field-types.ts'
import type { Action, AnyResource } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'
import type { Label } from '#schema/words.ts'
import { ModalDialog } from '#ui/antd/lazy-antd.ts'
import { StatusDot } from '#ui/feedback/status-dot.tsx'
import { Button } from '#ui/input/button.tsx'
import { saveFile } from '#ui/input/save-file.ts'
import { tableFile } from '#ui/input/table-file.ts'
import { useRowTitle } from '#views/list/use-row-title.ts'
import { viewWords } from '#views/shared/words.ts'
import './bulk-results.css'
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

/** Result of an action per row, failures first. */
export function BulkResults({ resource, action, results, onClose }: BulkResultsProps) {
  const sayLabel = useSay()
  const rowTitle = useRowTitle(resource)
  const count = (outcome: BulkResult['outcome']) => results.filter((result) => result.outcome === outcome).length
  const sum = { done: count('done'), failed: count('failed'), skipped: count('skipped') }
  const { reveals } = action
  const sorted = results.toSorted((a, b) => places.indexOf(a.outcome) - places.indexOf(b.outcome))
  return (
    <ModalDialog
      open
      title={sayLabel(bulkWords.bulkDone, { name: sayLabel(action.label) })}
      onClose={onClose}
      sticky={reveals !== undefined}
      widthPx={640}
      footer={
        <>
          {reveals && sum.done > 0 && <SaveSecrets {...{ resource, reveals, results }} />}
          <Button onClick={onClose}>{sayLabel(viewWords.close)}</Button>
        </>
      }
    >
      <p role="status">{sayLabel(bulkWords.bulkSum, sum)}</p>
      {reveals && <p>{sayLabel(bulkWords.secrets)}</p>}
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

type SaveSecretsProps = Pick<BulkResultsProps, 'resource' | 'results'> & { reveals: Reveal }

/** Saves the secrets of all records to a file: they are kept nowhere else. */
function SaveSecrets({ resource, reveals, results }: SaveSecretsProps) {
  const sayLabel = useSay()
  const rowTitle = useRowTitle(resource)
  const handleSave = () => {
    const rows = results.flatMap(({ row, answer }) => {
      const secret = valueAt(answer, reveals.value)
      return typeof secret === 'string' ? [[rowTitle(row), secret]] : []
    })
    const head = [sayLabel(resource.label.one), sayLabel(reveals.label)]
    saveFile(`${resource.name}-${reveals.value}.csv`, tableFile([head, ...rows], ','))
  }
  return (
    <Button kind="primary" icon="download" onClick={handleSave}>
      {sayLabel(bulkWords.save)}
    </Button>
  )
}
