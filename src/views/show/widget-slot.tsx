import { NotFound } from '#views/screens.tsx'
import { useViews, type WidgetProps } from '#views/shared/view-context.tsx'

export type WidgetSlotProps = WidgetProps & { widget: string }

/** A widget named by a definition. It suspends with what stands below it, so that nothing is pushed down when it arrives. */
export function WidgetSlot({ widget, ...about }: WidgetSlotProps) {
  const Widget = useViews().widgets[widget]
  if (!Widget) return <NotFound asPage={false} />
  return (
    <div className="view-widget">
      <Widget {...about} />
    </div>
  )
}
