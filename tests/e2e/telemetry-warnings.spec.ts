import type { Page } from '@playwright/test'
import { test as base, expect } from './support/console.ts'
import { TalkingBoard } from './support/talking-board.ts'

/** A board that has reported each minute for an hour. */
const test = base.extend<{ board: TalkingBoard }>({
  board: async ({ api, server }, use) => {
    const board = await TalkingBoard.attach(await api('admin'), server.url)
    await board.history({ fromMin: 60, values: () => ({ socPct: 50 }) })
    await use(board)
  },
})

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('warnings of a range that ends now are asked for once, and come by live events', async ({ as, calls, board }) => {
  const page = await as('admin', `/control-pcb/${board.id}/telemetry?range=1h`)
  await expect(panel(page, 'Charge')).toBeVisible()
  const asked = () => calls.filter((call) => call.startsWith('GET /api/telemetry-warning?') && call.includes(board.id))
  await expect.poll(asked).toHaveLength(1)
  expect(asked()[0]).not.toContain('raisedAt_lte')
  await board.history({ fromMin: 0, untilMin: 0, values: () => ({ gridMode: 'OFF_GRID' }) })
  await expect(panel(page, 'Warnings').getByRole('link', { name: 'Site runs off the grid' })).toBeVisible()
  await page.goto(`/control-pcb/${board.id}/telemetry?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z`)
  await expect(page.getByText('No telemetry in this range')).toBeVisible()
})
