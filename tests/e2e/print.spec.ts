import type { Page } from '@playwright/test'
import { expect, test } from './support/console.ts'

test.use({ viewport: { width: 1000, height: 800 } })

/** Controls have no place on paper; heads of columns keep their words. */
const controls = 'nav a:not([aria-current]), .ui-button, button:not(.ui-grid-sort), input[type=checkbox], .ui-top, .ui-side'

const visibleControls = (page: Page) =>
  page
    .locator(controls)
    .evaluateAll((found) => found.filter((each) => each.checkVisibility()).map((each) => each.outerHTML.slice(0, 120)))

/** Colours of paper: backgrounds that are neither white nor clear, and texts that are not dark. */
const darkPlaces = (page: Page) =>
  page.evaluate(() => {
    const channels = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number)
    const luma = ([r = 0, g = 0, b = 0]: number[]) => 0.3 * r + 0.6 * g + 0.1 * b
    return [...document.querySelectorAll('body, main, main *')]
      .filter((each) => each.checkVisibility() && !each.closest('svg, canvas') && each.getAttribute('aria-hidden') !== 'true')
      .filter(
        (each) =>
          [...each.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim()) || each === document.body,
      )
      .filter((each) => {
        const { color, backgroundColor } = getComputedStyle(each)
        const [, , , alpha = 1] = channels(backgroundColor)
        return luma(channels(color)) > 120 || (alpha > 0 && luma(channels(backgroundColor)) < 225)
      })
      .map((each) => `${each.className} ${each.textContent?.slice(0, 30)}`)
  })

const paper = async (page: Page) => {
  await page.evaluate(() => Object.assign(document.documentElement.dataset, { theme: 'dark' }))
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
  const head = page.getByText(/^ESS console · Printed /)
  await expect(head).toBeAttached()
  await expect(head).toBeHidden()
  await page.emulateMedia({ media: 'print' })
  await expect(head).toBeVisible()
  const today = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'Europe/Moscow' }).format(new Date())
  await expect(head).toContainText(today)
  await expect(head).toContainText('admin@example.com')
  expect(await visibleControls(page)).toEqual([])
  expect(await darkPlaces(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
}

test('a list prints its title, its conditions and the whole page of rows, in black on white', async ({ as }) => {
  const page = await as('admin', '/ess?q=ESS-0000&lifecycle=IN_OPERATION&limit=100')
  const last = page.getByRole('row').last()
  await expect(last).toBeVisible()
  await paper(page)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('Lifecycle: In operation')).toBeVisible()
  await expect(page.getByRole('searchbox')).toHaveValue('ESS-0000')
  await expect(page.getByRole('searchbox')).toBeVisible()
  // Nothing is cut by a box that scrolls.
  expect(await page.locator('.ui-grid').evaluate((box) => box.scrollHeight - box.clientHeight)).toBeLessThanOrEqual(1)
  expect(await page.locator('.ui-grid').evaluate((box) => box.scrollWidth - box.clientWidth)).toBeLessThanOrEqual(1)
})

test('a record and the dashboard print without what can only be pressed', async ({ as, api }) => {
  const { id } = await (await api('admin')).first('ess?code=ESS-000003')
  const page = await as('admin', `/ess/${id}/details`)
  await paper(page)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('ESS-000003')
  await page.emulateMedia({ media: 'screen' })
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Needs attention' })).toBeVisible()
  await paper(page)
  await expect(page.getByRole('heading', { name: 'Needs attention' })).toBeVisible()
})
