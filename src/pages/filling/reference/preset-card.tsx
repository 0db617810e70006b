import { useState } from 'react'
import { useSay } from '#fields/definitions.tsx'
import { useFilling } from '#pages/filling/use-call.ts'
import {
  type CellPreset,
  type ChemistryPreset,
  cellsIn,
  isSamePreset,
  type PresetEffect,
} from '#resources/fleet/chemistry-preset.ts'
import { ErrorScreen } from '#shell/errors/error-screen.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { DataGrid } from '#ui/grid/data-grid.tsx'
import { Button } from '#ui/input/button.tsx'
import { Card } from '#ui/layout/card.tsx'
import { LeaveDialog } from '#views/form/draft/leave-dialog.tsx'
import { useLeaveGuard } from '#views/form/draft/use-leave-guard.ts'
import { DraftActions } from './draft-actions.tsx'
import { useChemistryText, usePresetColumns } from './preset-columns.tsx'
import { PresetDialog } from './preset-dialog.tsx'
import { isEdited, type PresetDraft, presetDraftOf, readPreset } from './preset-draft.ts'
import { presetWords } from './preset-words.ts'
import { referenceWords } from './reference-words.ts'
import { type ReferenceKind, useReferenceChange } from './use-reference-change.ts'

const kind: ReferenceKind<ChemistryPreset, CellPreset> = {
  urlOf: ({ chemistry }) => `chemistry-preset/${encodeURIComponent(chemistry)}`,
  valuesOf: cellsIn,
  wasSet: presetWords.wasSet,
  wasReset: presetWords.wasReset,
}

/** Cell limits by chemistry: edited in place, previewed before the write. */
export function PresetCard() {
  const sayLabel = useSay()
  const chemistryText = useChemistryText()
  const [draft, setDraft] = useState<PresetDraft>()
  const change = useReferenceChange<ChemistryPreset, CellPreset, PresetEffect>(kind, () => setDraft(undefined))
  const columns = usePresetColumns(draft, setDraft)
  const { data, error } = useFilling<ChemistryPreset[]>('chemistry-preset')
  const isDirty = draft !== undefined && isEdited(draft, data ?? [])
  const { blocker } = useLeaveGuard(isDirty)
  if (error && !data) return <ErrorScreen error={error} />
  const button = (text: string, preset: ChemistryPreset, onClick: () => void) => (
    <Button
      size="small"
      busy={change.isBusy}
      disabled={isDirty}
      aria-label={`${text}: ${chemistryText(preset.chemistry)}`}
      onClick={onClick}
    >
      {text}
    </Button>
  )
  const actionsOf = (preset: ChemistryPreset) => {
    if (draft?.chemistry !== preset.chemistry) {
      const isChanged = !isSamePreset(preset, preset.standard)
      return (
        <span className="ui-actions">
          {isChanged && button(sayLabel(referenceWords.reset), preset, () => void change.look(preset, preset.standard, true))}
          {button(sayLabel(referenceWords.edit), preset, () => setDraft(presetDraftOf(preset)))}
        </span>
      )
    }
    const { preset: wanted } = readPreset(draft)
    const isReady = wanted && !isSamePreset(wanted, preset)
    return (
      <DraftActions
        isReady={!!isReady}
        isBusy={change.isBusy}
        onLook={() => wanted && void change.look(preset, wanted, false)}
        onCancel={() => setDraft(undefined)}
      />
    )
  }
  return (
    <>
      <Banner tone="info">{sayLabel(presetWords.lead)}</Banner>
      {change.failure && <Banner tone="bad">{change.failure}</Banner>}
      <Card flush title={sayLabel(presetWords.table)}>
        <DataGrid
          label={sayLabel(presetWords.table)}
          columns={[...columns, { key: 'actions', header: sayLabel(referenceWords.actions), cell: actionsOf, width: 200 }]}
          rows={data}
          rowKey={({ chemistry }) => chemistry}
          density="compact"
        />
      </Card>
      <PresetDialog change={change} />
      <LeaveDialog blocker={blocker} />
    </>
  )
}
