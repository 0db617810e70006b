import type { Browser, CDPSession, Page } from '@playwright/test'
import type { ApiUser } from '#tests/e2e/support/api-user.ts'
import { signInPage } from '#tests/e2e/support/console.ts'

/** Mobile line: 9 Mbit/s, 165 ms. */
const line = {
  offline: false,
  latency: 165,
  downloadThroughput: (9 * 1024 * 1024) / 8,
  uploadThroughput: (9 * 1024 * 1024) / 8,
}
const waitMs = 30_000

/** Sign of a screen: an element whose text fits. */
export type Sign = { selector: string; text: string }

declare global {
  interface Window {
    bench: { tasksMs: number[]; keysMs: number[]; shown: (sign: Sign) => Promise<number> }
  }
}

/** Runs in the page before its own scripts. */
function observe(): void {
  const tasksMs: number[] = []
  const keysMs: number[] = []
  const collect = (type: string, into: number[]) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (type === 'longtask' || entry.name.startsWith('key')) into.push(entry.duration)
    }).observe({ type, buffered: true, ...(type === 'event' ? { durationThreshold: 16 } : {}) })
  collect('longtask', tasksMs)
  collect('event', keysMs)
  const shown = ({ selector, text }: Sign) =>
    new Promise<number>((resolve) => {
      const pattern = new RegExp(text)
      const look = () => {
        const isThere = [...document.querySelectorAll(selector)].some((each) => pattern.test(each.textContent ?? ''))
        if (isThere) resolve(performance.now())
        else requestAnimationFrame(look)
      }
      look()
    })
  window.bench = { tasksMs, keysMs, shown }
}

export type Load = {
  firstPaintMs: number
  shownMs: number
  tasksMs: readonly number[]
  requests: number
  kilobytes: number
}

/** One page of a fresh browser context with the slow processor and line, signed in. */
export class SlowPage {
  readonly page: Page
  readonly #devtools: CDPSession

  constructor(page: Page, devtools: CDPSession) {
    this.page = page
    this.#devtools = devtools
  }

  static async open(browser: Browser, baseURL: string, user: ApiUser, slowdown: number): Promise<SlowPage> {
    const context = await browser.newContext({
      baseURL,
      locale: 'en-US',
      serviceWorkers: 'block',
      viewport: { width: 1440, height: 900 },
    })
    const page = await context.newPage()
    // The compiler of the bench names functions by a helper that the page does not have.
    await page.addInitScript('globalThis.__name = (target) => target')
    await page.addInitScript(observe)
    await signInPage(page, user)
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', line)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    return new SlowPage(page, devtools)
  }

  /** Loads an address and measures until the sign stands; long tasks count until the network is quiet. */
  async load(path: string, sign: Sign): Promise<Load> {
    await this.page.goto(path, { waitUntil: 'commit' })
    const shownMs = await this.page.evaluate((asked) => window.bench.shown(asked), sign)
    await this.quiet()
    return this.page.evaluate((until) => {
      const [document] = performance.getEntriesByType('navigation')
      const loaded = performance.getEntriesByType('resource').filter(({ startTime }) => startTime < until)
      const arrived = [document, ...loaded].filter((entry) => entry instanceof PerformanceResourceTiming)
      const bytes = arrived.reduce((sum, entry) => sum + (entry.responseEnd < until ? entry.transferSize : 0), 0)
      return {
        firstPaintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
        shownMs: until,
        tasksMs: window.bench.tasksMs,
        requests: loaded.length + 1,
        kilobytes: bytes / 1024,
      }
    }, shownMs)
  }

  /** Waits until half a second has passed without a call. */
  async quiet(): Promise<void> {
    await this.page.evaluate(
      (limitMs) =>
        new Promise<void>((resolve) => {
          const end = performance.now() + limitMs
          let before = -1
          const look = () => {
            const now = performance.getEntriesByType('resource').length
            if (now === before || performance.now() > end) return resolve()
            before = now
            setTimeout(look, 500)
          }
          look()
        }),
      waitMs,
    )
  }

  /** Time from a click to the frame in which the sign stands. */
  async click(selector: string, sign: Sign): Promise<number> {
    const ms = await this.page.evaluate(
      async ([target, asked]) => {
        const element = document.querySelector(target)
        if (!(element instanceof HTMLElement)) throw new Error(`nothing at ${target}`)
        const start = performance.now()
        element.click()
        return (await window.bench.shown(asked)) - start
      },
      [selector, sign] as const,
    )
    await this.quiet()
    return ms
  }

  /** Slowest key of a text that is typed into a field. Keys faster than the browser reports count as 16 ms. */
  async type(selector: string, text: string): Promise<number> {
    await this.page.locator(selector).focus()
    await this.page.evaluate(() => window.bench.keysMs.splice(0))
    await this.page.keyboard.type(text, { delay: 150 })
    await this.quiet()
    return this.page.evaluate(() => Math.max(16, ...window.bench.keysMs))
  }

  /** Memory of the page after a collection. */
  async heap(): Promise<{ megabytes: number; nodes: number; listeners: number }> {
    await this.#devtools.send('HeapProfiler.collectGarbage')
    const { usedSize } = await this.#devtools.send('Runtime.getHeapUsage')
    const { nodes, jsEventListeners } = await this.#devtools.send('Memory.getDOMCounters')
    return { megabytes: usedSize / 1024 / 1024, nodes, listeners: jsEventListeners }
  }

  async close(): Promise<void> {
    await this.page.context().close()
  }
}
