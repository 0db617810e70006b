import { type ScreenChunk, screensOf } from './early-plan.ts'
import { whenIdle } from './ui/layout/when-idle.ts'

/** The code of the generated screens, each fetched when the first page of its kind is about to be opened. */
export const screenChunks = {
  list: () => import('./views/list/list-page.tsx'),
  show: () => import('./views/show/show-page.tsx'),
  form: () => import('./views/form/form-page.tsx'),
} satisfies Record<ScreenChunk, () => Promise<unknown>>

/** Asks for the code of an address beside everything else that a start needs, not after it. */
export function preloadScreen(pathname: string): void {
  // A failure is shown where the page is opened, which asks again.
  for (const screen of screensOf(pathname)) screenChunks[screen]().catch(() => undefined)
}

/** The other screens: the next click finds them there. */
export function preloadRest(): void {
  whenIdle(() => {
    for (const load of Object.values(screenChunks)) load().catch(() => undefined)
  })
}
