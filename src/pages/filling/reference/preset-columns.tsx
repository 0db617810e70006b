import { useCallback, useMemo } from 'react'
import { useConsole, useSay } from '#fields/definitions.tsx'
import {
  type CellPreset,
  type CellValue,
  type ChemistryPreset,
  cellValues,
  isSamePreset,
} from '#resources/fleet/chemistry-preset.ts'
import { choiceLabel } from '#schema/facts/choices.ts'
import type { Label } from '#schema/words.ts'
import type { GridColumn } from '#ui/grid/data-grid-types.ts'
import { TextInput } from '#ui/input/text-input.tsx'
import { changedCells, type PresetDraft, readPreset, withText } from './preset-draft.ts'
import { presetWords } from './preset-words.ts'
import { referenceWords } from './reference-words.ts'

export function useChemistryText(): (name: string) => string {
  const sayLabel = useSay()
  const { definitions } = useConsole()
  const kinds = definitions.get('ess')?.fields.chemistry
  return useCallback((name) => (kinds?.type === 'enum' ? sayLabel(choiceLabel(kinds, name)) : name), [kinds, sayLabel])
}

type InputProps = { name: CellValue; draft: PresetDraft; onChange: (draft: PresetDraft) => void }

/** Input of a value in its table cell, with its error below. */
function Input({ name, draft, onChange }: InputProps) {
  const sayLabel = useSay()
  const chemistry = useChemistryText()(draft.chemistry)
  const fault = readPreset(draft).faults.get(name)
  const id = `${draft.chemistry}-${name}`
  return (
    <span className="filling-cell">
      <TextInput
        inputMode="numeric"
        aria-label={sayLabel(presetWords.inputOf, { part: sayLabel(cellValues[name]), chemistry })}
        aria-describedby={fault ? id : undefined}
        status={fault ? 'error' : undefined}
        value={draft.texts[name]}
        onChange={(text) => onChange(withText(draft, name, text))}
      />
      {fault && (
        <small id={id} className="filling-fault">
          {sayLabel(fault)}
        </small>
      )}
    </span>
  )
}

const parts: readonly { key: string; header: Label; names: readonly [CellValue, CellValue?] }[] = [
  { key: 'min', header: presetWords.min, names: ['lowestMinMv', 'highestMinMv'] },
  { key: 'max', header: presetWords.max, names: ['lowestMaxMv', 'highestMaxMv'] },
  { key: 'usual', header: presetWords.usual, names: ['usualMinMv', 'usualMaxMv'] },
  { key: 'nominal', header: presetWords.nominal, names: ['nominalMv'] },
]

/** All chemistries with their standards; values of the edited one are inputs. */
export function usePresetColumns(
  draft: PresetDraft | undefined,
  onChange: (draft: PresetDraft) => void,
): GridColumn<ChemistryPreset>[] {
  const sayLabel = useSay()
  const chemistryText = useChemistryText()
  return useMemo(() => {
    const spanText = (preset: CellPreset, [from, to]: (typeof parts)[number]['names']) =>
      to ? sayLabel(presetWords.span, { from: preset[from], to: preset[to] }) : String(preset[from])
    const standardText = (preset: ChemistryPreset) => {
      const changed = changedCells(preset, preset.standard)
      if (isSamePreset(preset, preset.standard)) return <span className="dash-note">{sayLabel(referenceWords.asStandard)}</span>
      return parts
        .filter(({ names }) => names.some((name) => name && changed.includes(name)))
        .map(({ header, names }) => `${sayLabel(header)}: ${spanText(preset.standard, names)}`)
        .join('; ')
    }
    return [
      {
        key: 'chemistry',
        header: sayLabel(presetWords.chemistry),
        cell: (row) => chemistryText(row.chemistry),
        width: 150,
        wrap: true,
      },
      ...parts.map(
        ({ key, header, names }): GridColumn<ChemistryPreset> => ({
          key,
          header: sayLabel(header),
          cell: (row) => {
            if (draft?.chemistry !== row.chemistry) return spanText(row, names)
            return names.map((name) => name && <Input key={name} {...{ name, draft, onChange }} />)
          },
          align: 'end',
          width: key === 'nominal' ? 120 : 140,
          wrap: true,
        }),
      ),
      { key: 'standard', header: sayLabel(referenceWords.standard), cell: standardText, width: 170, wrap: true },
    ]
  }, [sayLabel, chemistryText, draft, onChange])
}
