// Loads the facts of flows, which a built console splits off with those of lists.
import '#schema/later/list-facts.ts'
import { useLanguage, useSay } from '#fields/definitions.tsx'
import type { FieldIn, WritePart } from '#fields/field-kind.ts'
import { fieldWords } from '#fields/words.ts'
import type { Flow as FlowFacts, FlowPart } from '#schema/facts/flow-facts.ts'
import { formatNumber } from '#schema/format/format.ts'
import { unitStep } from '#schema/format/units.ts'
import { valueAt } from '#schema/rule.ts'
import { Icon } from '#ui/icon/icon.tsx'
import type { IconName } from '#ui/icon/icon-paths.ts'
import './flow.css'

export type FlowProps = { field: FieldIn<'group'>; flow: FlowFacts; value: unknown; write: WritePart }

/** Towards the whole, away from it, or at rest. */
type Direction = 'in' | 'out' | 'rest'

function directionOf(value: number | undefined, { consumes }: FlowPart, restBelow: number): Direction {
  if (value === undefined || Math.abs(value) < restBelow) return 'rest'
  return value > 0 === !consumes ? 'in' : 'out'
}

/** The flows of a whole in one line: numbers in the unit of the strongest, which stands at the end. */
export function Flow({ field, flow: { parts, restBelow = 0 }, value, write }: FlowProps) {
  const language = useLanguage()
  const sayLabel = useSay()
  const found = Object.entries(parts).map(([name, part]) => {
    const read = valueAt(value, name)
    const amount = typeof read === 'number' ? read : undefined
    return { name, part, amount, field: field.fields[name] }
  })
  const strongest = Math.max(...found.map(({ amount = 0 }) => Math.abs(amount)))
  const [first] = found
  const step = first?.field?.type === 'quantity' ? unitStep(first.field.unit, strongest) : undefined
  const digits = step && step.divide > 1 && strongest / step.divide < 10 ? 1 : 0
  const short = (amount: number) => formatNumber(Math.abs(amount) / (step?.divide ?? 1), digits, language)
  // A flow that the unit of the strongest shows as 0 is at rest, too.
  const least = Math.max(restBelow, (0.5 / 10 ** digits) * (step?.divide ?? 1))
  const lines = found.map((one) => ({ ...one, direction: directionOf(one.amount, one.part, least) }))
  const textOf = ({ field: own, part, amount, direction }: (typeof lines)[number]) => {
    if (!own || amount === undefined) return []
    const sign = direction === 'rest' ? undefined : part[amount < 0 ? 'negative' : 'positive']
    return [[sayLabel(own.label), sign && sayLabel(sign), write(own, Math.abs(amount))].filter(Boolean).join(' ')]
  }
  const text = lines.flatMap(textOf).join(', ')
  if (text === '')
    return (
      <span className="field-none">
        <span aria-hidden="true">—</span>
        <span className="ui-hidden">{sayLabel(fieldWords.none)}</span>
      </span>
    )
  return (
    <span className="field-flow" role="img" aria-label={text} title={text}>
      {lines.map(({ name, part, amount, direction }) => (
        <span key={name} className={`field-flow-line field-flow-${direction} field-flow-${part.tone ?? 'accent'}`}>
          <Icon name={part.icon as IconName} sizePx={13} />
          {direction !== 'rest' && <i className="field-flow-arrow" />}
          {amount !== undefined && direction !== 'rest' && short(amount)}
        </span>
      ))}
      {step && strongest >= restBelow && <span className="field-flow-unit">{sayLabel(step.symbol)}</span>}
    </span>
  )
}
