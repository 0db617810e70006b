import type { ComponentType } from 'react'
import type { WidgetName } from '#schema/widget-names.ts'
import { lazyCode } from '#ui/layout/lazy-chunk.tsx'
import type { Widget, WidgetProps } from '#views/shared/view-context.tsx'

const later = (load: () => Promise<{ default: ComponentType<WidgetProps> }>): Widget => Object.assign(lazyCode(load), { load })

/** Widgets by name, each fetched with the record that shows it. */
export const widgets: Readonly<Record<WidgetName, Widget>> = {
  'board-configuration': later(() =>
    import('./configuration/board-configuration.tsx').then((module) => ({ default: module.BoardConfiguration })),
  ),
  'board-connect': later(() => import('./connect/board-connect.tsx').then((module) => ({ default: module.BoardConnect }))),
  'board-status': later(() => import('./board/board-status.tsx').then((module) => ({ default: module.BoardStatus }))),
  'case-record': later(() => import('./case/case-record.tsx').then((module) => ({ default: module.CaseRecord }))),
  'ess-overview': later(() => import('./ess/ess-overview.tsx').then((module) => ({ default: module.EssOverview }))),
  'journal-entry': later(() => import('./journal/journal-entry.tsx').then((module) => ({ default: module.JournalEntry }))),
  'packet-microscope': later(() =>
    import('./packet/packet-microscope.tsx').then((module) => ({ default: module.PacketMicroscope })),
  ),
  'telemetry-chart': later(() =>
    import('./telemetry/telemetry-chart.tsx').then((module) => ({ default: module.TelemetryChart })),
  ),
  'warning-record': later(() => import('./warning/warning-record.tsx').then((module) => ({ default: module.WarningRecord }))),
  'update-record': later(() => import('./update/update-record.tsx').then((module) => ({ default: module.UpdateRecord }))),
}
