import { useLanguage, useSay } from '#fields/definitions.tsx'
import { boundsOn, sidesOf } from '#resources/fleet/warnings/threshold.ts'
import { formatDuration, formatNumber } from '#schema/format/format.ts'
import { ConfirmDialog } from '#ui/antd/lazy-antd.ts'
import { referenceWords } from './reference-words.ts'
import { useThresholdWords } from './threshold-words.ts'
import type { ThresholdProposal, useThresholdChange } from './use-threshold-change.ts'

/** Preview: changed values and affected boards. */
function Effect({ proposal: { subject: threshold, values: limit, effect } }: { proposal: ThresholdProposal }) {
  const sayLabel = useSay()
  const language = useLanguage()
  const { boundsText, sideText, severityText, valueText } = useThresholdWords()
  const { boards, begin, end, change, examples } = effect
  const changed = limit.levels.flatMap((after, index) => {
    const level = threshold.levels[index]
    return sidesOf({ ...level, ...after }).flatMap((side) => {
      const [before, now] = [level && boundsOn(level, side), boundsOn(after, side)]
      if (!before || (before.raise === now.raise && before.clear === now.clear)) return []
      const texts = { before: boundsText(threshold, before), after: boundsText(threshold, now) }
      return [sayLabel(referenceWords.line, { severity: sideText(after, side), ...texts })]
    })
  })
  const delays = { before: formatDuration(threshold.delayS, language), after: formatDuration(limit.delayS, language) }
  const lines = threshold.delayS === limit.delayS ? changed : [...changed, sayLabel(referenceWords.delayLine, delays)]
  const counts = { boards, begin, end, change }
  const numbers = Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, formatNumber(count, 0, language)]))
  return (
    <div className="filling-stack">
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p>
        <strong>{boards > 0 ? sayLabel(referenceWords.effect, numbers) : sayLabel(referenceWords.noBoards)}</strong>
      </p>
      {examples.length > 0 && (
        <ul className="filling-kept">
          {examples.map(({ board, ess, value, from, to }) => (
            <li key={board.id}>
              {sayLabel(referenceWords.example, {
                place: ess ? `${ess.code}, ${board.code}` : board.code,
                value: valueText(threshold, value),
                from: from ? severityText(from) : sayLabel(referenceWords.none),
                to: to ? severityText(to) : sayLabel(referenceWords.none),
              })}
            </li>
          ))}
        </ul>
      )}
      <p className="dash-note">{sayLabel(referenceWords.fromNow)}</p>
    </div>
  )
}

/** Preview and confirmation of a change. */
export function ThresholdDialog({ change }: { change: ReturnType<typeof useThresholdChange> }) {
  const sayLabel = useSay()
  const { proposal, isOpen, isBusy, write, cancel } = change
  if (!proposal) return null
  const { subject: threshold, isReset } = proposal
  const title = sayLabel(isReset ? referenceWords.askReset : referenceWords.askSet, {
    warning: sayLabel(threshold.title),
  })
  return (
    <ConfirmDialog
      open={isOpen}
      title={title}
      body={<Effect proposal={proposal} />}
      confirmText={sayLabel(isReset ? referenceWords.reset : referenceWords.set)}
      busy={isBusy}
      onConfirm={() => void write()}
      onCancel={cancel}
    />
  )
}
