import type { Page } from '@playwright/test'
import { expect, test } from './support/console.ts'
import { hold } from './support/hold.ts'

const row = (page: Page) => page.getByRole('row', { name: /ESS-/ }).first()
const html = (page: Page) => page.locator('html')

/** Height of the first row and width of its cells, which another typeface of other widths would move. */
const shapeOf = (page: Page) =>
  page
    .locator('tbody tr')
    .first()
    .evaluate((found) => {
      const cells = [...found.children].map((cell) => cell.getBoundingClientRect().width)
      return { height: found.getBoundingClientRect().height, cells }
    })

test('the own typeface comes after the first row, moves nothing, and is there at once on the next page', async ({
  as,
  complaints,
}) => {
  complaints.allow(/ERR_FAILED/)
  const page = await as('admin', '/about')
  const fonts: string[] = []
  await page.evaluate(() => localStorage.removeItem('ess-console.face'))
  page.on('request', (request) => request.url().endsWith('.woff2') && fonts.push(request.url()))
  const release = await hold(page, '**/*.woff2')
  await page.goto('/ess')
  await expect(row(page)).toBeVisible()
  expect(await html(page).getAttribute('data-face')).toBeNull()
  const before = await shapeOf(page)
  await expect.poll(() => fonts.length).toBeGreaterThan(0)
  release()
  await expect(html(page)).toHaveAttribute('data-face', 'own')
  const after = await shapeOf(page)
  expect(after.height).toBe(before.height)
  for (const [index, width] of after.cells.entries()) expect(Math.abs(width - (before.cells[index] ?? 0))).toBeLessThan(24)
  await page.unroute('**/*.woff2')

  await page.route('**/assets/console-*.js', (route) => route.abort())
  await page.goto('/ess', { waitUntil: 'commit' })
  await expect(html(page)).toHaveAttribute('data-face', 'own')
})

test('figures of lists and cards stand below each other, in both languages of one typeface', async ({ as }) => {
  const page = await as('admin', '/ess')
  await expect(html(page)).toHaveAttribute('data-face', 'own')
  await expect(row(page)).toBeVisible()
  const widths = await page
    .getByRole('table')
    .first()
    .evaluate(async (table) => {
      await document.fonts.load("1em 'Inter Variable'", 'Яя09')
      const write = (text: string) => {
        const mark = table.querySelector('td[data-align=end]')?.appendChild(document.createElement('span'))
        if (!mark) return 0
        mark.textContent = text
        const { width } = mark.getBoundingClientRect()
        mark.remove()
        return width
      }
      return { ones: write('1111'), zeros: write('0000'), cyrillic: document.fonts.check("1em 'Inter Variable'", 'Яя') }
    })
  expect(widths.ones).toBeGreaterThan(0)
  expect(widths.ones).toBeCloseTo(widths.zeros, 1)
  expect(widths.cyrillic).toBe(true)
})

test('a metered line keeps the typeface of the system', async ({ as }) => {
  const page = await as('admin', '/about')
  const fonts: string[] = []
  page.on('request', (request) => request.url().endsWith('.woff2') && fonts.push(request.url()))
  await page.evaluate(() => localStorage.removeItem('ess-console.face'))
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
  await page.goto('/ess')
  await expect(row(page)).toBeVisible()
  await expect.poll(() => page.evaluate(() => performance.now())).toBeGreaterThan(4_000)
  expect(fonts).toEqual([])
})
