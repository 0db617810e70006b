import { useLanguage, useSay } from '#fields/definitions.tsx'
import { type CellPreset, type ChemistryPreset, cellValues, type PresetEffect } from '#resources/fleet/chemistry-preset.ts'
import { formatNumber } from '#schema/format/format.ts'
import { ConfirmDialog } from '#ui/antd/lazy-antd.ts'
import { useChemistryText } from './preset-columns.tsx'
import { changedCells } from './preset-draft.ts'
import { presetWords } from './preset-words.ts'
import { referenceWords } from './reference-words.ts'
import type { Proposal, useReferenceChange } from './use-reference-change.ts'

export type PresetChange = ReturnType<typeof useReferenceChange<ChemistryPreset, CellPreset, PresetEffect>>

/** Preview: changed values, and boards whose desired limits would be out of range. */
function Effect({ proposal: { subject, values, effect } }: { proposal: Proposal<ChemistryPreset, CellPreset, PresetEffect> }) {
  const sayLabel = useSay()
  const language = useLanguage()
  const { examples, ...counts } = effect
  const numbers = Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, formatNumber(count, 0, language)]))
  const changes = changedCells(subject, values).map((name) => ({
    name,
    facts: { part: sayLabel(cellValues[name]), before: subject[name], after: values[name] },
  }))
  return (
    <div className="filling-stack">
      <ul>
        {changes.map(({ name, facts }) => (
          <li key={name}>{sayLabel(presetWords.line, facts)}</li>
        ))}
      </ul>
      <p>
        <strong>{effect.boards > 0 ? sayLabel(presetWords.effect, numbers) : sayLabel(presetWords.noBoards)}</strong>
      </p>
      {examples.length > 0 && (
        <ul className="filling-kept">
          {examples.map(({ board, ess, minMv, maxMv }) => {
            const place = ess ? `${ess.code}, ${board.code}` : board.code
            return <li key={board.id}>{sayLabel(presetWords.example, { place, min: minMv ?? '–', max: maxMv ?? '–' })}</li>
          })}
        </ul>
      )}
      <p className="dash-note">{sayLabel(presetWords.fromNow)}</p>
    </div>
  )
}

/** Preview and confirmation of a change. */
export function PresetDialog({ change }: { change: PresetChange }) {
  const sayLabel = useSay()
  const chemistryText = useChemistryText()
  const { proposal, isOpen, isBusy, write, cancel } = change
  if (!proposal) return null
  const { subject, isReset } = proposal
  const chemistry = chemistryText(subject.chemistry)
  return (
    <ConfirmDialog
      open={isOpen}
      title={sayLabel(isReset ? presetWords.askReset : presetWords.askSet, { chemistry })}
      body={<Effect proposal={proposal} />}
      confirmText={sayLabel(isReset ? referenceWords.reset : referenceWords.set)}
      busy={isBusy}
      onConfirm={() => void write()}
      onCancel={cancel}
    />
  )
}
