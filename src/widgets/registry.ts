import { lazy } from 'react'
import type { WidgetName } from '#schema/widget-names.ts'
import type { Widgets } from '#views/shared/view-context.tsx'

/** Widgets by name, each loaded when its tab is opened. */
export const widgets: Readonly<Record<WidgetName, Widgets[string]>> = {
  'board-configuration': lazy(() =>
    import('./configuration/board-configuration.tsx').then((module) => ({ default: module.BoardConfiguration })),
  ),
  'board-connect': lazy(() => import('./connect/board-connect.tsx').then((module) => ({ default: module.BoardConnect }))),
  'board-status': lazy(() => import('./board/board-status.tsx').then((module) => ({ default: module.BoardStatus }))),
  'case-record': lazy(() => import('./case/case-record.tsx').then((module) => ({ default: module.CaseRecord }))),
  'ess-overview': lazy(() => import('./ess/ess-overview.tsx').then((module) => ({ default: module.EssOverview }))),
  'journal-entry': lazy(() => import('./journal/journal-entry.tsx').then((module) => ({ default: module.JournalEntry }))),
  'packet-microscope': lazy(() =>
    import('./packet/packet-microscope.tsx').then((module) => ({ default: module.PacketMicroscope })),
  ),
  'telemetry-chart': lazy(() =>
    import('./telemetry/telemetry-chart.tsx').then((module) => ({ default: module.TelemetryChart })),
  ),
  'warning-record': lazy(() => import('./warning/warning-record.tsx').then((module) => ({ default: module.WarningRecord }))),
  'update-record': lazy(() => import('./update/update-record.tsx').then((module) => ({ default: module.UpdateRecord }))),
}
