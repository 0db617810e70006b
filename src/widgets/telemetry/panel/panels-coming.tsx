import { useSay } from '#fields/definitions.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { telemetryWords } from '#widgets/telemetry/telemetry-words.ts'

/** Stands in for the panels. */
export function PanelsComing() {
  const sayLabel = useSay()
  return (
    <div className="tele-loading" role="status" aria-label={sayLabel(telemetryWords.range, {})}>
      {[230, 160, 160, 160].map((height, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have nothing but their place
        <Skeleton key={index} height={height} />
      ))}
    </div>
  )
}
