import { useMemo } from 'react'
import { useLanguage, useSay } from '#fields/definitions.tsx'
import { formatDuration } from '#schema/format/format.ts'
import { StatusDot } from '#ui/feedback/status-dot.tsx'
import type { GridColumn } from '#ui/grid/data-grid-types.ts'
import { TextInput } from '#ui/input/text-input.tsx'
import type { LevelRow } from './reference-tab.tsx'
import { referenceWords } from './reference-words.ts'
import { type Draft, readDraft } from './threshold-draft.ts'
import { useThresholdWords } from './threshold-words.ts'

type Part = 'raise' | 'clear'
type Change = (draft: Draft) => void

const withLevel = (draft: Draft, index: number, part: Part, text: string): Draft => ({
  ...draft,
  levels: draft.levels.map((level, place) => (place === index ? { ...level, [part]: text } : level)),
})

type InputProps = { row: LevelRow; part: Part | 'delayS'; draft: Draft; onChange: Change }

/** Input of a value in its table cell, with its error below. */
function Input({ row: { threshold, level, index }, part, draft, onChange }: InputProps) {
  const sayLabel = useSay()
  const { nameOf, severityText } = useThresholdWords()
  const isDelay = part === 'delayS'
  const place = isDelay ? part : `${index}.${part}`
  const fault = readDraft(threshold, draft).faults.get(place)
  const id = `${threshold.key}-${place}`.replaceAll('.', '-')
  const names = { warning: nameOf(threshold), severity: severityText(level.severity) }
  const label = sayLabel(referenceWords.inputOf, { part: sayLabel(referenceWords[part]), ...names })
  return (
    <span className="filling-cell">
      <TextInput
        inputMode="decimal"
        aria-label={label}
        aria-describedby={fault ? id : undefined}
        status={fault ? 'error' : undefined}
        value={isDelay ? draft.delayS : (draft.levels[index]?.[part] ?? '')}
        onChange={(text) => onChange(isDelay ? { ...draft, delayS: text } : withLevel(draft, index, part, text))}
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
          words.numberText(row.threshold, row.level[part])
        ),
      align: 'end',
      width: 120,
      wrap: true,
    })
    const standardText = ({ threshold, index }: LevelRow) => {
      const { delayS, levels } = threshold.standard
      const [usual, now] = [levels[index], threshold.levels[index]]
      const isUsual = usual?.raise === now?.raise && usual?.clear === now?.clear && delayS === threshold.delayS
      if (!usual || isUsual) return <span className="dash-note">{sayLabel(referenceWords.asStandard)}</span>
      const texts = { raise: words.numberText(threshold, usual.raise), clear: words.numberText(threshold, usual.clear) }
      return sayLabel(referenceWords.wasStandard, { ...texts, delay: formatDuration(delayS, language) })
    }
    return [
      {
        key: 'warning',
        header: sayLabel(referenceWords.warning),
        cell: ({ threshold, index }) => <span className={index > 0 ? 'ui-hidden' : ''}>{words.nameOf(threshold)}</span>,
        width: 170,
        wrap: true,
      },
      {
        key: 'severity',
        header: sayLabel(referenceWords.severity),
        cell: ({ level: { severity } }) => <StatusDot tone={words.toneOf(severity)}>{words.severityText(severity)}</StatusDot>,
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
          if (row.index > 0) return null
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
