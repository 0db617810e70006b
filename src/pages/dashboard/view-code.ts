import type { Summary } from '#schema/wire/summary.ts'
import { LazyChunk } from '#ui/layout/lazy-chunk.tsx'

/** The energy widgets, which only clients need. */
export const clientViewCode = new LazyChunk(() => import('./client/client-view.tsx').then((module) => module.ClientView))

/** The chart library and its lines, which only a fleet with measurements needs. */
export const powerLinesCode = new LazyChunk(() => import('./charts/power-lines.tsx').then((module) => module.PowerLines))

/** Fetches the code that a summary is drawn with, beside that of the dashboard itself. */
export async function preloadView(summary: Summary | 'none' | undefined): Promise<void> {
  if (!summary || summary === 'none') return
  if (summary.view === 'client') await clientViewCode.preload()
  else if (summary.view === 'staff' && summary.charts?.power.length) await powerLinesCode.preload()
}
