import { flowCode } from '#fields/structure/flow-code.ts'
import { type ScreenChunk, screensOf } from './early-plan.ts'
import { LazyChunk } from './ui/layout/lazy-chunk.tsx'
import { whenIdle } from './ui/layout/when-idle.ts'

/** The code of the pages, each fetched when the first page of its kind is about to be opened. */
export const pageCode = {
  dashboard: new LazyChunk(() => import('./pages/dashboard/dashboard-code.ts').then((module) => module.dashboardCode.Page)),
  list: new LazyChunk(() => import('./views/list/list-page.tsx').then((module) => module.ListPage)),
  show: new LazyChunk(() => import('./views/show/show-page.tsx').then((module) => module.ShowPage)),
  form: new LazyChunk(() => import('./views/form/form-page.tsx').then((module) => module.FormPage)),
} satisfies Record<ScreenChunk | 'dashboard', unknown>

/** Fetches the code of an address. A failure is shown where the page is opened, which asks again. */
export async function preloadScreen(pathname: string): Promise<void> {
  const needed = pathname === '/' ? (['dashboard'] as const) : screensOf(pathname)
  const pages: Promise<unknown>[] = needed.map((page) => pageCode[page].preload())
  // In the same file: its first cells would else be drawn empty.
  const flows = needed.some((page) => page === 'list') ? [flowCode.preload()] : []
  await Promise.allSettled([...pages, ...flows])
}

/** The other screens: the next click finds them there. */
export function preloadScreens(): void {
  whenIdle(() => {
    for (const screen of ['list', 'show', 'form'] as const) pageCode[screen].preload().catch(() => undefined)
  })
}
