import { type ReactNode, Suspense } from 'react'
import { useDefinitions } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { isRelated } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { lazyCode } from '#ui/layout/lazy-chunk.tsx'
import { Toolbar } from '#ui/layout/toolbar.tsx'
import { ActionButtons } from '#views/actions/action-buttons.tsx'
import { tabOffers } from '#views/actions/action-offer.ts'
import { useActionContext } from '#views/actions/use-action-context.ts'
import { NotFound } from '#views/screens.tsx'
import { RecordSections } from './record-sections.tsx'
import type { NamedTab } from './record-tabs.ts'
import { WidgetSlot } from './widget-slot.tsx'

/** Lazy: the list code is a third of the record page and most records open without it. */
const RelatedList = lazyCode(() => import('./related-list.tsx').then((module) => ({ default: module.RelatedList })))

export type TabBodyProps = { resource: AnyResource; record: Row; tab: NamedTab; isPartial: boolean }

/** Stands in for a tab and what is below it until all of it can be drawn. */
export const TabPlace = ({ children }: { children: ReactNode }) => (
  <Suspense fallback={<Skeleton lines={8} height={20} />}>{children}</Suspense>
)

/** Content of a tab: rows of another resource, a widget, sections, or a widget above sections. */
export function TabBody({ resource, record, tab: { name, tab }, isPartial }: TabBodyProps) {
  const definitions = useDefinitions()
  if (isRelated(tab)) {
    const target = definitions.get(tab.resource)
    return target ? (
      <RelatedList key={name} name={name} parent={resource} record={record} tab={tab} target={target} />
    ) : (
      <NotFound asPage={false} />
    )
  }
  const about = { resource, record, isPartial }
  return (
    <>
      {'actions' in tab && tab.actions && <TabActions {...{ resource, record }} names={tab.actions} />}
      {tab.widget && <WidgetSlot {...about} tab={name} widget={tab.widget} />}
      {'sections' in tab && <RecordSections {...about} names={tab.sections} />}
    </>
  )
}

function TabActions({ resource, record, names }: { resource: AnyResource; record: Row; names: readonly string[] }) {
  const actionContext = useActionContext()
  const offers = tabOffers({ parent: resource, record, target: resource, names }, actionContext())
  return offers.length > 0 && <Toolbar end={<ActionButtons offers={offers} />}>{null}</Toolbar>
}
