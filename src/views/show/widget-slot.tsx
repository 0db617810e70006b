import { Suspense } from 'react'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { NotFound } from '#views/screens.tsx'
import { useViews, type WidgetProps } from '#views/shared/view-context.tsx'

export type WidgetSlotProps = WidgetProps & { widget: string; lines?: number }

/** A widget named by a definition; `lines`: height of its placeholder. */
export function WidgetSlot({ widget, lines = 6, ...about }: WidgetSlotProps) {
  const Widget = useViews().widgets[widget]
  if (!Widget) return <NotFound asPage={false} />
  return (
    <div className="view-widget">
      <Suspense fallback={<Skeleton lines={lines} height={20} />}>
        <Widget {...about} />
      </Suspense>
    </div>
  )
}
