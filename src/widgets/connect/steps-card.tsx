import { useConsole, useDefinitions, useSay } from '#fields/definitions.tsx'
import { formatMoment } from '#fields/time/time-format.ts'
import { choiceLabel } from '#schema/facts/choices.ts'
import { formatDuration } from '#schema/format/format.ts'
import type { ConnectStep, Hint } from '#schema/wire/connect.ts'
import { Icon } from '#ui/icon/icon.tsx'
import type { IconName } from '#ui/icon/icon-paths.ts'
import { Card } from '#ui/layout/card.tsx'
import { connectWords, hintWords, stepWords } from './connect-words.ts'

const looks = {
  DONE: { icon: 'check', tone: 'good' },
  WAITING: { icon: 'clock', tone: 'idle' },
  FAILED: { icon: 'warning', tone: 'warn' },
} as const satisfies Record<ConnectStep['state'], { icon: IconName; tone: string }>

export function StepsCard({ steps }: { steps: readonly ConnectStep[] }) {
  const sayLabel = useSay()
  return (
    <Card title={sayLabel(connectWords.steps)}>
      <ol className="connect-steps" aria-live="polite">
        {steps.map((step) => (
          <Step key={step.code} step={step} />
        ))}
      </ol>
    </Card>
  )
}

function Step({ step: { code, state, at, hints } }: { step: ConnectStep }) {
  const sayLabel = useSay()
  const { language, zone } = useConsole()
  const { icon, tone } = looks[state]
  return (
    <li className={`connect-step ui-tone-${tone}`} data-state={state}>
      <span className="connect-step-icon">
        <Icon name={icon} sizePx={18} />
      </span>
      <div>
        <strong>{sayLabel(stepWords[code])}</strong>{' '}
        <span className="connect-step-state">
          {sayLabel(connectWords[state])}
          {at && `, ${formatMoment(at, language, zone)}`}
        </span>
        {hints.map((hint) => (
          <HintText key={JSON.stringify(hint)} hint={hint} />
        ))}
      </div>
    </li>
  )
}

/** Text of a hint, with times and packet reasons in the viewer's language. */
function HintText({ hint: { code, values } }: { hint: Hint }) {
  const sayLabel = useSay()
  const { language, zone } = useConsole()
  const reasons = useDefinitions().get('package')?.fields.reason
  const shown = Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const text = String(value ?? '–')
      if (name === 'at' && value) return [name, formatMoment(text, language, zone)]
      if (name === 'offsetS') return ['offset', formatDuration(Number(value), language)]
      if (code !== 'INVALID' || name !== 'reason' || reasons?.type !== 'tags') return [name, text]
      return [name, sayLabel(choiceLabel({ type: 'enum', label: ['', ''], options: reasons.options ?? [] }, text))]
    }),
  )
  return <p className="connect-hint">{sayLabel(hintWords[code], shown)}</p>
}
