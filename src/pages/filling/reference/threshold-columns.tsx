import { useMemo } from 'react'
import { useLanguage, useSay } from '#fields/definitions.tsx'
import type { Bounds } from '#resources/fleet/warnings/levels.ts'
import { boundPath, boundsOn } from '#resources/fleet/warnings/threshold.ts'
import { formatDuration } from '#schema/format/format.ts'
import { StatusDot } from '#ui/feedback/status-dot.tsx'
import type { GridColumn } from '#ui/grid/data-grid-types.ts'
import { TextInput } from '#ui/input/text-input.tsx'
import type { LevelRow } from './reference-tab.tsx'
import { referenceWords } from './reference-words.ts'
import { type Draft, readDraft } from './threshold-draft.ts'
import { useThresholdWords } from './threshold-words.ts'

type Part = keyof Bounds
type Change = (draft: Draft) => void

const withBound = (draft: Draft, { index, side }: LevelRow, part: Part, text: string): Draft => ({
  ...draft,
  levels: draft.levels.map((level, place) =>
    place === index ? { ...level, [side]: { ...level[side], [part]: text } } : level,
  ),
})

type InputProps = { row: LevelRow; part: Part | 'delayS'; draft: Draft; onChange: Change }

/** Input of a value in its table cell, with its error below. */
function Input({ row, part, draft, onChange }: InputProps) {
  const sayLabel = useSay()
  const { threshold, level, index, side } = row
  const { nameOf, sideText } = useThresholdWords()
  const isDelay = part === 'delayS'
  const place = isDelay ? part : `${index}.${boundPath(side, part)}`
  const fault = readDraft(threshold, draft).faults.get(place)
  const id = `${threshold.key}-${place}`.replaceAll('.', '-')
  const names = { warning: nameOf(threshold), severity: sideText(level, side) }
  const label = sayLabel(referenceWords.inputOf, { part: sayLabel(referenceWords[part]), ...names })
  return (
    <span className="filling-cell">
      <TextInput
        inputMode="decimal"
        aria-label={label}
        aria-describedby={fault ? id : undefined}
        status={fault ? 'error' : undefined}
        value={isDelay ? draft.delayS : (draft.levels[index]?.[side]?.[part] ?? '')}
        onChange={(text) => onChange(isDelay ? { ...draft, delayS: text } : withBound(draft, row, part, text))}
      />
      {fault && (
        <small id={id} className="filling-fault">
          {sayLabel(fault)}
        </small>
      )}
    </span>
  )
}

/** All levels with their standards; values of the edited threshold are inputs. */
export function useThresholdColumns(draft: Draft | undefined, onChange: Change): GridColumn<LevelRow>[] {
  const sayLabel = useSay()
  const language = useLanguage()
  const words = useThresholdWords()
  return useMemo(() => {
    const isEdited = ({ threshold }: LevelRow) => draft?.key === threshold.key
    const value = (part: Part): GridColumn<LevelRow> => ({
      key: part,
      header: sayLabel(referenceWords[part]),
      cell: (row) =>
        draft && isEdited(row) ? (
          <Input {...{ row, part, draft, onChange }} />
        ) : (
          words.numberText(row.threshold, boundsOn(row.level, row.side)[part])
        ),
      align: 'end',
      width: 120,
      wrap: true,
    })
    const standardText = ({ threshold, level, index, side }: LevelRow) => {
      const { delayS, levels } = threshold.standard
      const standard = levels[index]
      const [usual, now] = [standard && boundsOn(standard, side), boundsOn(level, side)]
      const isUsual = usual?.raise === now.raise && usual.clear === now.clear && delayS === threshold.delayS
      if (!usual || isUsual) return <span className="dash-note">{sayLabel(referenceWords.asStandard)}</span>
      const texts = { raise: words.numberText(threshold, usual.raise), clear: words.numberText(threshold, usual.clear) }
      return sayLabel(referenceWords.wasStandard, { ...texts, delay: formatDuration(delayS, language) })
    }
    return [
      {
        key: 'warning',
        header: sayLabel(referenceWords.warning),
        cell: ({ threshold, index, side }) => (
          <span className={index > 0 || side === 'under' ? 'ui-hidden' : ''}>{words.nameOf(threshold)}</span>
        ),
        width: 170,
        wrap: true,
      },
      {
        key: 'severity',
        header: sayLabel(referenceWords.severity),
        cell: ({ level, side }) => <StatusDot tone={words.toneOf(level.severity)}>{words.sideText(level, side)}</StatusDot>,
        width: 170,
      },
      value('raise'),
      value('clear'),
      {
        key: 'unit',
        header: sayLabel(referenceWords.unit),
        cell: ({ threshold }) =>
          threshold.around === null
            ? words.unitText(threshold)
            : sayLabel(referenceWords.around, { around: threshold.around, unit: words.unitText(threshold) }),
        width: 110,
        wrap: true,
      },
      {
        key: 'delay',
        header: sayLabel(referenceWords.delay),
        cell: (row) => {
          if (row.index > 0 || row.side === 'under') return null
          if (draft && isEdited(row)) return <Input {...{ row, part: 'delayS', draft, onChange }} />
          return formatDuration(row.threshold.delayS, language)
        },
        align: 'end',
        width: 110,
        wrap: true,
      },
      { key: 'standard', header: sayLabel(referenceWords.standard), cell: standardText, width: 170 },
    ]
  }, [sayLabel, language, words, draft, onChange])
}
