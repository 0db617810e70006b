import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { seriousFaults } from './support/axe.ts'
import { expect, test } from './support/console.ts'
import { TalkingBoard } from './support/talking-board.ts'

const soc = (ago: number) => Math.round(800 - ago / 2) / 10

/** A board that has reported each minute for five hours, but for half an hour. */
const measured = test.extend<{ board: TalkingBoard; tab: string }>({
  board: async ({ api, server }, use) => {
    const board = await TalkingBoard.attach(await api('admin'), server.url)
    const values = (ago: number) => ({ socPct: soc(ago), cellTempMaxC: 25 + (ago % 5) / 10 })
    await board.history({ fromMin: 300, untilMin: 91, values })
    await board.history({ fromMin: 60, values })
    await use(board)
  },
  tab: async ({ board }, use) => use(`/control-pcb/${board.id}/telemetry`),
})

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const plot = (page: Page, name: string) => panel(page, name).locator('.u-over')
const moment = (page: Page, name: string) => panel(page, name).getByRole('slider')
const value = (page: Page, name: string, channel: string) =>
  panel(page, name).getByRole('listitem').filter({ hasText: channel })
const range = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Range' }).getByRole('button', { name, exact: true })
const table = (page: Page) => page.getByRole('region', { name: 'Telemetry, newest first' })

async function drawOut(page: Page, name: string, [from, to]: [from: number, to: number]): Promise<void> {
  await plot(page, name).scrollIntoViewIfNeeded()
  const box = await plot(page, name).boundingBox()
  if (!box) throw new Error(`there is no chart of ${name}`)
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + box.width * from, y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * ((from + to) / 2), y)
  await page.mouse.move(box.x + box.width * to, y)
  await page.mouse.up()
}

measured('charts show the last day in panels, with the values of the moment that is pointed at', async ({ as, tab, calls }) => {
  const page = await as('service_engineer', tab)
  await expect(value(page, 'Power', 'Battery power')).toContainText('discharging 1.54 kW')
  await expect(value(page, 'Charge', 'State of charge')).toContainText(`${soc(1).toFixed(1)}%`)
  await expect(panel(page, 'States')).toContainText('Discharging')
  await range(page, '6 h').click()
  await expect(page).toHaveURL(/range=6h/)
  await expect(page.getByText('1 min per point')).toBeVisible()
  const box = await plot(page, 'Power').boundingBox()
  await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) * 0.5, (box?.y ?? 0) + 40)
  // Half of six hours ago: the same moment in every panel.
  await expect(value(page, 'Charge', 'State of charge')).toContainText(/^State of charge7[01]\.\d%/)
  const asked = calls.filter((call) => call.startsWith('GET /api/telemetry?'))
  expect(asked.length).toBeLessThanOrEqual(4)
  expect(asked.every((call) => call.includes(`controlPcbId=`))).toBe(true)
})

measured('a part that is drawn out is zoomed to, and there are three ways back', async ({ as, tab }) => {
  const page = await as('admin', `${tab}?range=24h`)
  await expect(page.getByText('5 min per point')).toBeVisible()
  await drawOut(page, 'Charge', [0.82, 0.98])
  await expect(page).toHaveURL(/from=.+&to=/)
  await expect(page.getByText('1 min per point')).toBeVisible()
  await page.goBack()
  await expect(page).not.toHaveURL(/from=/)
  await expect(page.getByText('5 min per point')).toBeVisible()
  await drawOut(page, 'Charge', [0.82, 0.98])
  await page.getByRole('button', { name: 'Reset zoom' }).click()
  await expect(page).not.toHaveURL(/from=/)
  await drawOut(page, 'Power', [0.82, 0.98])
  await expect(page.getByText('1 min per point')).toBeVisible()
  await plot(page, 'Power').dblclick()
  await expect(page).not.toHaveURL(/from=/)
})

measured('the keyboard points, zooms and goes back; each moment is said in words', async ({ as, tab }) => {
  const page = await as('admin', `${tab}?range=6h`)
  const slider = moment(page, 'Charge')
  await expect(slider).toHaveAttribute('aria-valuetext', /State of charge: /)
  await slider.focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect(slider).toHaveAttribute('aria-valuetext', /State of charge: (?:80\.0|79\.\d)%$/)
  const last = await slider.getAttribute('aria-valuetext')
  await page.keyboard.press('ArrowLeft')
  await expect(slider).not.toHaveAttribute('aria-valuetext', last ?? '')
  await page.keyboard.press('PageDown')
  await page.keyboard.press('PageDown')
  await page.keyboard.press('PageDown')
  await page.keyboard.press('PageDown')
  await expect(slider).toHaveAttribute('aria-valuetext', /State of charge: no data/)
  await expect(moment(page, 'Power')).toHaveAttribute('aria-valuetext', /Load: no data/)
  await page.keyboard.press('+')
  await expect(page).toHaveURL(/from=/)
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/from=/)
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/at=/)
})

measured(
  'what a board sends is appended without a new page, and only the end is asked for',
  async ({ as, tab, board, calls }) => {
    const page = await as('admin', `${tab}?range=1h`)
    await expect(value(page, 'Charge', 'State of charge')).toContainText(`${soc(1).toFixed(1)}%`)
    const before = calls.length
    await board.send(board.frame({ socPct: soc(1) + 2 }))
    await expect(value(page, 'Charge', 'State of charge')).toContainText(`${(soc(1) + 2).toFixed(1)}%`)
    const [asked] = calls.slice(before).filter((call) => call.startsWith('GET /api/telemetry?'))
    const times = new URLSearchParams(asked?.split('?')[1])
    expect(Number(times.get('to')) - Number(times.get('from'))).toBeLessThan(5 * 60_000)
  },
)

measured('the table tells the same in words, gaps too, and moves with the charts', async ({ as, tab }) => {
  const page = await as('admin', `${tab}?range=6h`)
  await page.getByRole('button', { name: 'Table' }).click()
  await expect(page).toHaveURL(/table=1/)
  await expect(
    table(page)
      .getByRole('row', { name: /No data/ })
      .first(),
  ).toBeVisible()
  const gap = table(page)
    .getByRole('row', { name: /No data/ })
    .first()
  // A row that is redrawn under a resting mouse is hovered only after the next move.
  await expect(async () => {
    await page.mouse.move(0, 0)
    await gap.hover()
    await expect(gap).toHaveAttribute('data-here', '', { timeout: 1_000 })
  }).toPass()
  const row = table(page).getByRole('row').nth(3)
  await expect(row).toContainText('discharging 1.54 kW')
  await row.hover()
  const time = await row.getByRole('rowheader').textContent()
  await expect(page.locator('.tele-cursor time')).toHaveText(time ?? '')
  // The page scrolls under a mouse that rests: what it then points at must not be taken for the keyboard's doing.
  await page.mouse.move(0, 0)
  await expect(table(page).locator('tr[data-here]')).toHaveCount(0)
  await moment(page, 'Charge').focus()
  await page.keyboard.press('End')
  await expect(table(page).locator('tr[data-here]')).toHaveCount(1)
})

measured('times are those of the site, of the reader or of UTC', async ({ as, tab }) => {
  const page = await as('admin', `${tab}?range=1h&table=1`)
  const first = table(page).getByRole('rowheader').first()
  const hour = async () => Number((await first.textContent())?.split(', ')[1]?.split(':')[0])
  await expect(first).toBeVisible()
  const site = await hour()
  const zone = page.getByRole('combobox', { name: 'Time' })
  await expect(zone).toContainText('Site time (Asia/Yekaterinburg)')
  await zone.selectOption('utc')
  await expect.poll(hour).toBe((site + 24 - 5) % 24)
  await zone.selectOption('own')
  await expect.poll(hour).toBe((site + 24 - 2) % 24)
  await page.reload()
  await expect.poll(hour).toBe((site + 24 - 2) % 24)
})

measured('channels are chosen, kept in the address and remembered on the device', async ({ as, tab }) => {
  const page = await as('admin', tab)
  await expect(panel(page, 'Cell spread')).toBeHidden()
  await page.getByRole('button', { name: /Channels/ }).click()
  await page.getByRole('checkbox', { name: 'Cell spread' }).check()
  await page.getByRole('checkbox', { name: 'State of charge' }).uncheck()
  await page.keyboard.press('Escape')
  await expect(value(page, 'Cell spread', 'Cell spread')).toContainText('8 mV')
  await expect(panel(page, 'Charge')).toBeHidden()
  await expect(page).toHaveURL(/channels=[^&]*cellDeltaMv/)
  await page.goto(tab)
  await expect(panel(page, 'Cell spread')).toBeVisible()
  await expect(panel(page, 'Charge')).toBeHidden()
})

measured('what is on screen is saved as a file', async ({ as, tab }) => {
  const page = await as('admin', `${tab}?range=6h`)
  await expect(panel(page, 'Charge')).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: /Every sample/ }).click()
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n')
  expect(lines[0]).toContain('socPct (%)')
  expect(lines.length).toBeGreaterThan(260)
  expect(lines.length).toBeLessThanOrEqual(271)
})

measured('warnings lie over the time in which they lasted, each with its link', async ({ as, tab, board }) => {
  await board.history({ fromMin: 0, untilMin: 0, values: () => ({ gridMode: 'OFF_GRID' }) })
  const page = await as('admin', `${tab}?range=1h`)
  const warnings = panel(page, 'Warnings')
  await expect(warnings.getByRole('link', { name: 'Site runs off the grid' })).toBeVisible()
  await moment(page, 'Warnings').focus()
  await page.keyboard.press('End')
  await expect(moment(page, 'Warnings')).toHaveAttribute('aria-valuetext', /Site runs off the grid/)
  await warnings.getByRole('link', { name: 'Site runs off the grid' }).click()
  await expect(page).toHaveURL(/\/telemetry-warning\//)
})

measured('a time without data says so, and leads to the last', async ({ as, tab }) => {
  const page = await as('admin', `${tab}?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z`)
  await expect(page.getByText('No telemetry in this range')).toBeVisible()
  await page.getByRole('button', { name: /Go to the last data/ }).click()
  await expect(value(page, 'Charge', 'State of charge')).toContainText('%')
})

measured('a server that fails is told, and asked again on a press', async ({ as, tab, page: own, complaints }) => {
  complaints.allow(/status of 503/)
  await own.route('**/api/telemetry?*', (route) =>
    route.fulfill({ status: 503, json: { statusCode: 503, message: 'Not ready' } }),
  )
  const page = await as('admin', tab)
  await expect(page.getByText('Not ready')).toBeVisible()
  await own.unroute('**/api/telemetry?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(panel(page, 'Charge')).toBeVisible()
})

measured('the site shows what its main board has measured since it stands there', async ({ as, board }) => {
  const page = await as('admin', `/ess/${board.essId}/telemetry`)
  await expect(page.getByText('No telemetry in this range')).toBeVisible()
  // Boards tell whole seconds: the next one is surely after the attachment.
  await page.waitForTimeout(1_000)
  await board.send(board.frame({ socPct: soc(1) }))
  await expect(value(page, 'Charge', 'State of charge')).toContainText(`${soc(1).toFixed(1)}%`)
})

for (const colorScheme of ['light', 'dark'] as const) {
  measured.describe(`in the ${colorScheme} look`, () => {
    measured.use({ colorScheme })

    measured('the charts have no serious fault, in Russian either, and fit a phone', async ({ as, tab, page: own }) => {
      await own.addInitScript(() => localStorage.setItem('ess-console.language', 'ru'))
      const page = await as('admin', `${tab}?table=1`)
      await expect(panel(page, 'Мощность')).toContainText('разряд 1,54 кВт')
      expect(await seriousFaults(page)).toEqual([])
      await page.setViewportSize({ width: 390, height: 844 })
      await expect.poll(() => page.evaluate(() => document.scrollingElement?.scrollWidth)).toBe(390)
      await page.getByRole('button', { name: /Каналы/ }).click()
      await expect(page.getByRole('checkbox', { name: 'Разброс ячеек' })).toBeVisible()
      expect(await page.evaluate(() => document.scrollingElement?.scrollWidth)).toBe(390)
      expect(await seriousFaults(page)).toEqual([])
    })
  })
}
