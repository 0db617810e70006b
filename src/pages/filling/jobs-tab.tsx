import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useConsole, useSay } from '#fields/definitions.tsx'
import { formatMoment } from '#fields/time/time-format.ts'
import type { ImportJob } from '#schema/wire/import-report.ts'
import { ErrorScreen } from '#shell/errors/error-screen.tsx'
import { ConfirmDialog } from '#ui/antd/lazy-antd.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { DataGrid } from '#ui/grid/data-grid.tsx'
import type { GridColumn } from '#ui/grid/data-grid-types.ts'
import { Button } from '#ui/input/button.tsx'
import { Card } from '#ui/layout/card.tsx'
import { Popover } from '#ui/overlay/popover.tsx'
import { problemOf } from '#views/shared/problem.ts'
import { fillingWords } from './filling-words.ts'
import { useTargetName } from './import/source-card.tsx'
import { useCall, useFilling } from './use-call.ts'

const stateWords = {
  RUNNING: fillingWords.running,
  INTERRUPTED: fillingWords.interrupted,
  DONE: fillingWords.standing,
} as const

/** State of a job: under way, interrupted, in force, or undone as far as possible. */
function State({ job }: { job: ImportJob }) {
  const sayLabel = useSay()
  if (!job.undoneAt && job.removed !== null)
    return sayLabel(fillingWords.undoBegun, { removed: job.removed, restored: job.restored ?? 0 })
  if (!job.undoneAt) return sayLabel(stateWords[job.state], { done: job.done, total: job.total })
  const { kept } = job
  return (
    <span className="ui-actions">
      {sayLabel(fillingWords.undone, { removed: job.removed ?? 0, restored: job.restored ?? 0 })}
      {kept && kept.length > 0 && (
        <Popover
          label={sayLabel(fillingWords.kept)}
          text={sayLabel(fillingWords.kept, { count: kept.length })}
          kind="text"
          size="small"
        >
          <ul className="filling-kept">
            {kept.slice(0, 100).map(({ code, reason }) => (
              <li key={code}>
                {code}: {reason}
              </li>
            ))}
          </ul>
        </Popover>
      )}
    </span>
  )
}

function useColumns(): GridColumn<ImportJob>[] {
  const sayLabel = useSay()
  const nameOf = useTargetName()
  const { language, zone } = useConsole()
  return useMemo(() => {
    const counts = (['created', 'updated', 'skipped', 'failed'] as const).map(
      (key): GridColumn<ImportJob> => ({
        key,
        header: sayLabel(fillingWords[key]),
        cell: (job) => job[key],
        align: 'end',
      }),
    )
    return [
      { key: 'when', header: sayLabel(fillingWords.when), cell: ({ at }) => formatMoment(at, language, zone) },
      { key: 'who', header: sayLabel(fillingWords.who), cell: ({ actor }) => actor?.name ?? '—' },
      { key: 'what', header: sayLabel(fillingWords.what), cell: ({ target }) => nameOf(target) },
      { key: 'file', header: sayLabel(fillingWords.fileName), cell: ({ fileName }) => fileName || '—' },
      ...counts,
      { key: 'state', header: sayLabel(fillingWords.state), cell: (job) => <State job={job} />, wrap: true },
    ]
  }, [sayLabel, nameOf, language, zone])
}

function useUndo() {
  const call = useCall()
  const client = useQueryClient()
  const [job, setJob] = useState<ImportJob>()
  const [isOpen, setOpen] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const confirm = async () => {
    if (!job) return
    setBusy(true)
    setFailure(undefined)
    try {
      await call({ url: `import-job/${job.id}/undo`, method: 'post' })
      await client.invalidateQueries()
    } catch (error) {
      setFailure(problemOf(error).message)
    } finally {
      setBusy(false)
      setOpen(false)
    }
  }
  const ask = (next: ImportJob) => {
    setJob(next)
    setOpen(true)
  }
  return { job, isOpen, isBusy, failure, ask, confirm, cancel: () => setOpen(false) }
}

export function JobsTab() {
  const sayLabel = useSay()
  const columns = useColumns()
  const undo = useUndo()
  const { data, error } = useFilling<ImportJob[]>('import-job')
  if (error && !data) return <ErrorScreen error={error} />
  const canUndo = ({ created, updated, state, undoneAt }: ImportJob) =>
    created + updated > 0 && state !== 'RUNNING' && !undoneAt
  const empty = (
    <EmptyState
      icon="history"
      title={sayLabel(fillingWords.noJobs)}
      action={<Button href="/filling">{sayLabel(fillingWords.toImport)}</Button>}
    />
  )
  return (
    <div className="filling-stack">
      {undo.failure && <Banner tone="bad">{undo.failure}</Banner>}
      <Card flush>
        <DataGrid
          label={sayLabel(fillingWords.jobs)}
          columns={columns}
          rows={data}
          rowKey={({ id }) => id}
          empty={empty}
          rowActions={(job) =>
            canUndo(job) && (
              <Button size="small" onClick={() => undo.ask(job)}>
                {sayLabel(fillingWords.undo)}
              </Button>
            )
          }
        />
      </Card>
      {undo.job && (
        <ConfirmDialog
          open={undo.isOpen}
          danger
          title={sayLabel(fillingWords.undoTitle)}
          body={sayLabel(fillingWords.undoBody, { created: undo.job.created, updated: undo.job.updated })}
          confirmText={sayLabel(fillingWords.undo)}
          busy={undo.isBusy}
          onConfirm={() => void undo.confirm()}
          onCancel={undo.cancel}
        />
      )}
    </div>
  )
}
