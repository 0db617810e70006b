import type { Page, Request } from '@playwright/test'
import { warnings } from '#resources/fleet/warnings/warnings.ts'
import { expect, test } from './support/console.ts'
import { TalkingBoard } from './support/talking-board.ts'

/** Above 0.1 people see a page jump; half of it is what the console allows itself. */
const goodShift = 0.05

declare global {
  interface Window {
    shifts: { value: number; moved: string[] }[]
  }
}

/** Keeps every move of what was drawn before, but for those that a person caused. */
async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] }
    window.shifts = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) {
        const moved = entry.sources.map(({ node }) => (node instanceof Element ? `${node.nodeName}.${node.className}` : ''))
        if (!entry.hadRecentInput) window.shifts.push({ value: entry.value, moved })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** Answers of a second call come after what stands around them is drawn, on every machine. */
async function delayAnswers(page: Page): Promise<void> {
  await page.route(
    /\/api\/(.*last-telemetry|telemetry\?|telemetry-warning\?|package\/reasons|firmware-update\?)/,
    async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500))
      await route.continue()
    },
  )
}

/** Addresses that were called and not yet answered once. Live changes call again; the stream of them never ends. */
function unanswered(page: Page): () => number {
  const [called, answered] = [new Set<string>(), new Set<string>()]
  const pathOf = (request: Request) => new URL(request.url()).pathname
  page.on('request', (request) => /\/api\/(?!events)/.test(request.url()) && called.add(pathOf(request)))
  page.on('requestfinished', (request) => answered.add(pathOf(request)))
  return () => [...called].filter((path) => !answered.has(path)).length
}

const pages = [
  { name: 'a system', path: ({ essId }: TalkingBoard) => `/ess/${essId}` },
  { name: 'a board', path: ({ id }: TalkingBoard) => `/control-pcb/${id}` },
  { name: 'the telemetry of a board', path: ({ id }: TalkingBoard) => `/control-pcb/${id}/telemetry` },
  { name: 'package control', path: () => '/package-control' },
  { name: 'the profile', path: () => '/profile' },
] as const

for (const { name, path } of pages)
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const)
    test(`${name} stands still while it loads by its address, ${width} px wide`, async ({ as, api, server, page: own }) => {
      const board = await TalkingBoard.attach(await api('admin'), server.url)
      await board.send(board.frame({ eventFlags: 2 ** warnings.INSULATION_FAULT.flag.bit }))
      await own.setViewportSize({ width, height })
      await watchShifts(own)
      await delayAnswers(own)
      const waiting = unanswered(own)
      const page = await as('admin', path(board))
      const coming = page.locator('main :is(.ui-skeleton, .energy-coming, [aria-busy=true])').filter({ visible: true })
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
      await expect.poll(async () => waiting() + (await coming.count())).toBe(0)
      const shifts = await page.evaluate(() => window.shifts)
      const sum = shifts.reduce((all, { value }) => all + value, 0)
      expect(sum, JSON.stringify(shifts)).toBeLessThan(goodShift)
    })
