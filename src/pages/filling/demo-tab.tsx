import { useSay } from '#fields/definitions.tsx'
import type { DemoFleet } from '#schema/wire/import-report.ts'
import { ErrorScreen } from '#shell/errors/error-screen.tsx'
import { ConfirmDialog } from '#ui/antd/lazy-antd.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/input/button.tsx'
import { Card } from '#ui/layout/card.tsx'
import { DescriptionList } from '#ui/layout/description-list.tsx'
import { fillingWords } from './filling-words.ts'
import { NewFleet } from './new-fleet.tsx'
import { useFilling } from './use-call.ts'
import { useDemoJob } from './use-demo-job.ts'

function Present({ fleet }: { fleet: DemoFleet }) {
  const sayLabel = useSay()
  const deed = useDemoJob()
  const { ess, boards, people, firmware } = fleet
  const facts = { systems: ess, boards, people, firmware }
  const remove = () => void deed.run({ method: 'delete', payload: { ess }, done: fillingWords.demoRemoved })
  return (
    <div className="filling-stack">
      <DescriptionList
        items={(['systems', 'boards', 'people', 'firmware'] as const).map((key) => ({
          key,
          label: sayLabel(fillingWords[key]),
          value: facts[key],
        }))}
      />
      {deed.failure && <Banner tone="bad">{deed.failure}</Banner>}
      <div>
        <Button kind="danger" icon="trash" disabled={!fleet.allowed} onClick={deed.ask}>
          {sayLabel(fillingWords.demoRemove)}
        </Button>
      </div>
      {deed.wasOpened && (
        <ConfirmDialog
          open={deed.isOpen}
          danger
          title={sayLabel(fillingWords.demoRemoveTitle)}
          body={sayLabel(fillingWords.demoRemoveBody, { ess, boards, people, firmware })}
          confirmText={sayLabel(fillingWords.demoRemove)}
          typeToConfirm="demo"
          busy={deed.isBusy}
          onConfirm={remove}
          onCancel={deed.cancel}
        />
      )}
    </div>
  )
}

/** Sample records, created and removed together. */
export function DemoTab() {
  const sayLabel = useSay()
  const { data, error } = useFilling<DemoFleet>('demo-fleet')
  if (error && !data) return <ErrorScreen error={error} />
  if (!data) return <Skeleton lines={5} />
  const isThere = data.ess + data.boards + data.people + data.firmware > 0
  return (
    <Card title={sayLabel(fillingWords.demo)}>
      <div className="filling-stack">
        <p className="dash-note">{sayLabel(fillingWords.demoLead)}</p>
        {!data.allowed && <Banner tone="info">{sayLabel(fillingWords.demoOff)}</Banner>}
        {isThere ? <Present fleet={data} /> : <NewFleet isAllowed={data.allowed} />}
      </div>
    </Card>
  )
}
