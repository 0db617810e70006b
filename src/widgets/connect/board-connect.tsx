import { useSay } from '#fields/definitions.tsx'
import { type ConnectAnswer, connectAnswer } from '#schema/wire/connect.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/input/button.tsx'
import { useAnswer } from '#views/shared/use-answer.ts'
import type { WidgetProps } from '#views/shared/view-context.tsx'
import { AddressCard } from './address-card.tsx'
import './connect.css'
import { CommandsCard } from './commands-card.tsx'
import { connectWords } from './connect-words.ts'
import { StepsCard } from './steps-card.tsx'

const refreshMs = 5_000
const read = (data: unknown): ConnectAnswer | undefined => connectAnswer.safeParse(data).data

/** Live checklist for connecting a real board. */
export function BoardConnect(about: WidgetProps) {
  const sayLabel = useSay()
  const { data, error, refetch } = useAnswer({ url: `control-pcb/${String(about.record.id)}/connect`, read, refreshMs })
  if (error && !data)
    return (
      <Banner tone="warn" action={<Button size="small" icon="refresh" onClick={() => void refetch()} />}>
        {sayLabel(connectWords.failed)}
      </Banner>
    )
  if (!data) return <Skeleton lines={8} height={20} />
  return (
    <div className="connect">
      <StepsCard steps={data.steps} />
      <AddressCard {...about} answer={data} />
      <CommandsCard uid={data.uid} frameHex={data.frameHex} />
    </div>
  )
}
