import { useDataProvider } from '@refinedev/core'
import { useQueries } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useConsole, useRuleContext, useSay } from '#fields/definitions.tsx'
import { type FirstStep, firstSteps } from '#resources/fleet/first-steps.ts'
import { Icon } from '#ui/icon/icon.tsx'
import { IconButton } from '#ui/input/icon-button.tsx'
import { Card } from '#ui/layout/card.tsx'
import { Link } from '#ui/layout/link.tsx'
import { crudFilters } from '#views/list/refine-query.ts'
import { viewFilters } from '#views/list/view-filters.ts'
import { useStoredSetting } from '#views/shared/use-stored-setting.ts'
import { dashboardWords } from './dashboard-words.ts'

const oneRow = { currentPage: 1, pageSize: 1 }
const noSteps: readonly FirstStep[] = []

/** Row counts that complete each step; undefined until all have loaded. */
function useProofs(steps: readonly FirstStep[]): number[] | undefined {
  const dataProvider = useDataProvider()
  const { definitions, viewer } = useConsole()
  const ruleContext = useRuleContext()
  const counted = useQueries({
    queries: steps.map(({ resource, filters }, place) => ({
      queryKey: ['first-steps', viewer.id, place],
      queryFn: async () => {
        const definition = definitions.get(resource)
        const conditions = definition ? viewFilters(definition, filters ?? {}, ruleContext()) : []
        const list = { resource, filters: crudFilters(conditions, ''), pagination: oneRow, meta: { quiet: true } }
        return (await dataProvider().getList(list)).total ?? 0
      },
      meta: { live: [resource] },
    })),
  })
  const totals = counted.flatMap(({ data }) => data ?? [])
  return totals.length === steps.length ? totals : undefined
}

/** First steps of a role, until completed or dismissed on this device. */
export function FirstStepsCard() {
  const { viewer } = useConsole()
  const [ended, end] = useStoredSetting(`first-steps.${viewer.id}`)
  const steps = firstSteps[viewer.role] ?? noSteps
  return ended === undefined && steps.length > 0 ? <Steps steps={steps} onEnd={() => end('ended')} /> : null
}

function Steps({ steps, onEnd }: { steps: readonly FirstStep[]; onEnd: () => void }) {
  const sayLabel = useSay()
  const proofs = useProofs(steps)
  const done = proofs?.filter((rows) => rows > 0).length ?? 0
  const isOver = done === steps.length
  useEffect(() => {
    if (isOver) onEnd()
  }, [isOver, onEnd])
  if (!proofs || isOver) return null
  return (
    <Card
      title={sayLabel(dashboardWords.firstSteps)}
      actions={
        <>
          <span className="dash-note">{sayLabel(dashboardWords.progress, { done, total: steps.length })}</span>
          <IconButton icon="close" label={sayLabel(dashboardWords.hideSteps)} onClick={onEnd} />
        </>
      }
    >
      <ol className="dash-first">
        {steps.map(({ label, href }, place) => (
          <li key={label[0]}>
            {proofs[place] ? (
              <span className="dash-step" data-tone="good">
                <Icon name="check" label={sayLabel(dashboardWords.done)} />
                {sayLabel(label)}
              </span>
            ) : (
              <Link className="dash-step dash-step-open" href={href}>
                <span aria-hidden="true">{place + 1}</span>
                {sayLabel(label)}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </Card>
  )
}
