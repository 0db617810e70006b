import { useDefinition, useSay } from '#fields/definitions.tsx'
import { FieldDisplay } from '#fields/field-display.tsx'
import type { SummaryWork } from '#schema/wire/summary.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Icon } from '#ui/icon/icon.tsx'
import { Card } from '#ui/layout/card.tsx'
import { dashboardWords, stepWords } from './dashboard-words.ts'

function WorkCard({ work }: { work: SummaryWork }) {
  const sayLabel = useSay()
  const { lifecycle } = useDefinition('ess').fields
  const done = work.steps.filter((step) => step.done).length
  const progress = sayLabel(dashboardWords.progress, { done, total: work.steps.length })
  return (
    <Card
      title={work.code}
      actions={lifecycle && <FieldDisplay field={lifecycle} path="lifecycle" row={work} />}
      footer={<span className="dash-note">{progress}</span>}
    >
      <p className="dash-note">{[work.name, work.address].filter(Boolean).join(' · ')}</p>
      <ul className="dash-steps">
        {work.steps.map((step) => (
          <li key={step.key} className="dash-step" data-tone={step.done ? 'good' : 'idle'}>
            <Icon
              name={step.done ? 'check' : 'clock'}
              label={sayLabel(step.done ? dashboardWords.done : dashboardWords.open)}
            />
            {sayLabel(stepWords[step.key])}
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Remaining steps of an installer's systems. */
export function InstallerView({ works }: { works: readonly SummaryWork[] }) {
  const sayLabel = useSay()
  if (works.length === 0)
    return <EmptyState icon="check" title={sayLabel(dashboardWords.noWorksTitle)} text={sayLabel(dashboardWords.noWorksText)} />
  return (
    <div className="dash-cards">
      {works.map((work) => (
        <WorkCard key={work.id} work={work} />
      ))}
    </div>
  )
}
