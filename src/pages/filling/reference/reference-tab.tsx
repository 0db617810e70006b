import { useMemo, useState } from 'react'
import { useSay } from '#fields/definitions.tsx'
import { useFilling } from '#pages/filling/use-call.ts'
import { type Side, sidesOf, type Threshold, type ThresholdLevel } from '#resources/fleet/warnings/threshold.ts'
import { ErrorScreen } from '#shell/errors/error-screen.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { DataGrid } from '#ui/grid/data-grid.tsx'
import { Button } from '#ui/input/button.tsx'
import { Card } from '#ui/layout/card.tsx'
import { LeaveDialog } from '#views/form/draft/leave-dialog.tsx'
import { useLeaveGuard } from '#views/form/draft/use-leave-guard.ts'
import { DraftActions } from './draft-actions.tsx'
import { ModelCard } from './model-card.tsx'
import { PresetCard } from './preset-card.tsx'
import { referenceWords } from './reference-words.ts'
import { useThresholdColumns } from './threshold-columns.tsx'
import { ThresholdDialog } from './threshold-dialog.tsx'
import { type Draft, draftOf, isEdited, isSame, readDraft } from './threshold-draft.ts'
import { useThresholdChange } from './use-threshold-change.ts'

/** One level of a threshold on one side; the first row of a threshold shows the shared values. */
export type LevelRow = { threshold: Threshold; level: ThresholdLevel; index: number; side: Side }

const rowsOf = (thresholds: readonly Threshold[] | undefined): LevelRow[] | undefined =>
  thresholds?.flatMap((threshold) =>
    threshold.levels.flatMap((level, index) => sidesOf(level).map((side) => ({ threshold, level, index, side }))),
  )

/** Warning thresholds: shown, edited in place, previewed before the write. */
export function ReferenceTab() {
  const sayLabel = useSay()
  const [draft, setDraft] = useState<Draft>()
  const change = useThresholdChange(() => setDraft(undefined))
  const columns = useThresholdColumns(draft, setDraft)
  const { data, error } = useFilling<Threshold[]>('warning-threshold')
  const isDirty = draft !== undefined && isEdited(draft, data ?? [])
  const { blocker } = useLeaveGuard(isDirty)
  const rows = useMemo(() => rowsOf(data), [data])
  if (error && !data) return <ErrorScreen error={error} />
  const actionsOf = ({ threshold, index, side }: LevelRow) => {
    if (index > 0 || side === 'under') return null
    if (draft?.key !== threshold.key)
      return <Resting {...{ threshold, change, isDirty }} onEdit={() => setDraft(draftOf(threshold))} />
    const { limit } = readDraft(threshold, draft)
    const isReady = limit && !isSame(limit, threshold)
    return (
      <DraftActions
        isReady={!!isReady}
        title={limit && !isReady ? sayLabel(referenceWords.same) : undefined}
        isBusy={change.isBusy}
        onLook={() => limit && void change.look(threshold, limit, false)}
        onCancel={() => setDraft(undefined)}
      />
    )
  }
  return (
    <div className="filling-stack">
      <ModelCard />
      <Banner tone="info">{sayLabel(referenceWords.lead)}</Banner>
      {change.failure && <Banner tone="bad">{change.failure}</Banner>}
      <Card flush>
        <DataGrid
          label={sayLabel(referenceWords.table)}
          columns={[...columns, { key: 'actions', header: sayLabel(referenceWords.actions), cell: actionsOf, width: 230 }]}
          rows={rows}
          rowKey={({ threshold, index, side }) => `${threshold.key} ${index} ${side}`}
          density="compact"
        />
      </Card>
      <ThresholdDialog change={change} />
      <LeaveDialog blocker={blocker} />
      {/* It asks for its rows at once, and appears with those above it. */}
      <div className="filling-stack" hidden={!rows}>
        <PresetCard />
      </div>
    </div>
  )
}

type RestingProps = {
  threshold: Threshold
  change: ReturnType<typeof useThresholdChange>
  /** Another threshold has edits that would be lost. */
  isDirty: boolean
  onEdit: () => void
}

/** Actions of a threshold that is not being edited. */
function Resting({ threshold, change, isDirty, onEdit }: RestingProps) {
  const sayLabel = useSay()
  const name = sayLabel(threshold.title)
  const isChanged = !isSame(threshold, threshold.standard)
  return (
    <span className="ui-actions">
      {isChanged && (
        <Button
          size="small"
          busy={change.isBusy}
          disabled={isDirty}
          aria-label={`${sayLabel(referenceWords.reset)}: ${name}`}
          onClick={() => void change.look(threshold, threshold.standard, true)}
        >
          {sayLabel(referenceWords.reset)}
        </Button>
      )}
      <Button
        size="small"
        icon="edit"
        disabled={isDirty}
        aria-label={`${sayLabel(referenceWords.edit)}: ${name}`}
        onClick={onEdit}
      >
        {sayLabel(referenceWords.edit)}
      </Button>
    </span>
  )
}
