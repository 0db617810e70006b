import type { BrowserContext, Page, Request } from '@playwright/test'
import { wordsIn } from './foreign-words.ts'

const isAwaited = (request: Request) => request.url().includes('/api/') && !request.url().includes('/api/events')

/** Answers of the server to the pages of a context, and those still under way. */
export class Answers {
  /** Words that the server has answered: names, codes and texts of people are not the console's. */
  readonly words = new Set<string>()
  readonly #open = new Set<Request>()

  constructor(context: BrowserContext) {
    context.on('request', (request) => {
      if (isAwaited(request)) this.#open.add(request)
    })
    context.on('requestfailed', (request) => this.#open.delete(request))
    context.on('requestfinished', async (request) => {
      const response = isAwaited(request) ? await request.response().catch(() => null) : null
      wordsIn(await response?.json().catch(() => undefined), this.words)
      this.#open.delete(request)
    })
  }

  /** Waits until a page shows all of itself: nothing loads, and nothing has loaded for some frames. */
  async settled(page: Page): Promise<void> {
    do await page.waitForFunction(hasSettled, undefined, { timeout: 15_000 })
    while (this.#open.size > 0)
  }
}

/** Runs in the page, frame by frame. */
function hasSettled(): boolean {
  const isSeen = (selector: string) => document.querySelector(selector)?.checkVisibility({ visibilityProperty: true }) ?? false
  const isWhole = isSeen('main') && isSeen('h1') && !document.querySelector('main [aria-busy=true], main .ui-skeleton')
  const frames = isWhole ? Number(document.body.dataset.quietFrames ?? 0) + 1 : 0
  document.body.dataset.quietFrames = String(frames > 5 ? 0 : frames)
  return frames > 5
}
