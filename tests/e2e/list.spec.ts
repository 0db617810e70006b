import type { Locator } from '@playwright/test'
import { expect, test } from './support/console.ts'

test('the list shows the fleet of 200, pages through it, and Back goes back', async ({ as }) => {
  // The codes of the demo fleet: what other tests have made is not counted.
  const page = await as('admin', '/ess?q=ESS-000&sort=code')
  await expect(page.getByRole('row')).toHaveCount(26)
  await expect(page.getByText('1–25 of 200')).toBeVisible()
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect(page).toHaveURL(/page=2/)
  await expect(page.getByRole('link', { name: 'ESS-000026' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('link', { name: 'ESS-000001' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'ESS-000026' })).toBeHidden()
})

test('the next page is asked for while this one is read: pressing its link asks for it no more', async ({ as, calls }) => {
  const page = await as('admin', '/ess?q=ESS-000&sort=code')
  const asked = (first: number) => calls.filter((call) => call.startsWith('GET /api/ess?') && call.includes(`_start=${first}&`))
  await expect.poll(() => asked(25)).toHaveLength(1)
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect(page.getByRole('link', { name: 'ESS-000026' })).toBeVisible()
  await expect.poll(() => asked(50)).toHaveLength(1)
  expect(asked(25)).toHaveLength(1)
})

test('a filter is derived from the field, stands in the address, and is asked of the server', async ({ as, calls, api }) => {
  const total = await (await api('admin')).total('ess?lifecycle=COMMISSIONING&_end=1')
  const page = await as('admin', '/ess')
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Lifecycle' }).click()
  await page.getByRole('checkbox', { name: 'Commissioning' }).check()
  await expect(page).toHaveURL(/lifecycle=COMMISSIONING/)
  await expect(page.getByRole('row')).toHaveCount(total + 1)
  expect(calls.some((call) => call.startsWith('GET /api/ess?lifecycle=COMMISSIONING'))).toBe(true)
})

test('sorting by a header is told to screen readers and asked of the server', async ({ as, calls }) => {
  const page = await as('admin', '/ess?columns=code,ratedEnergyWh')
  await page.getByRole('columnheader', { name: 'Rated energy' }).getByRole('button').click()
  await expect(page.getByRole('columnheader', { name: 'Rated energy' })).toHaveAttribute('aria-sort', 'ascending')
  await page.getByRole('columnheader', { name: 'Rated energy' }).getByRole('button').click()
  await expect(page.getByRole('columnheader', { name: 'Rated energy' })).toHaveAttribute('aria-sort', 'descending')
  await expect(page.getByRole('row').nth(1)).toContainText('430')
  expect(calls.some((call) => call.includes('_sort=ratedEnergyWh&_order=desc'))).toBe(true)
})

test('a list opens in the order of attention and says so; the third press on a header leads back to it', async ({
  as,
  calls,
}) => {
  const page = await as('admin', '/ess')
  const note = page.getByText('By the worst open warning, then by the time without a connection.')
  await expect(note).toBeVisible()
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await expect(page.locator('th[aria-sort=ascending], th[aria-sort=descending]')).toHaveCount(0)
  expect(calls.some((call) => call.includes('/api/ess?') && call.includes('_sort=attention&_order=asc'))).toBe(true)
  const name = page.getByRole('columnheader', { name: 'Name' }).getByRole('button')
  await name.click()
  await expect(page).toHaveURL(/\?sort=name$/)
  await expect(note).toBeHidden()
  await name.click()
  await expect(page).toHaveURL(/\?sort=-name$/)
  await name.click()
  await expect(page).toHaveURL(/\/ess$/)
  await expect(note).toBeVisible()
  await name.click()
  await page.getByRole('link', { name: 'Back to the order “Attention first”' }).click()
  await expect(page).toHaveURL(/\/ess$/)
})

test('a pasted link opens the very view: search, filter, order, page size and columns', async ({ as }) => {
  const page = await as('admin', '/ess?profile=HOME&q=ESS-0000&sort=-code&limit=10&columns=code,profile')
  await expect(page.getByRole('row')).toHaveCount(11)
  await expect(page.getByRole('columnheader', { name: 'Profile' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Owner' })).toBeHidden()
  await expect(page.getByRole('searchbox')).toHaveValue('ESS-0000')
  const codes = await page.getByRole('row').getByRole('link', { name: /^ESS-/ }).allTextContents()
  expect(codes).toEqual(codes.toSorted().reverse())
})

test('searching narrows the list, and what is not there is said', async ({ as }) => {
  const page = await as('admin', '/ess')
  await page.getByRole('searchbox').fill('ESS-000042')
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.getByRole('searchbox').fill('100 % of_nothing')
  await expect(page.getByRole('link', { name: /^ESS-/ })).toHaveCount(0)
  await expect(page.getByRole('main').getByRole('button', { name: /clear/i }).first()).toBeVisible()
})

test('a column can be left out, and stays out when the page is opened again', async ({ as }) => {
  const page = await as('admin', '/ess')
  // The own typeface comes once per browser, after the first row: names get another width then, and the open popover moves.
  await expect(page.locator('html')).toHaveAttribute('data-face', 'own')
  // So does the banner, which moves it down between the press and the release of the button.
  await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible()
  await page.getByRole('button', { name: 'View' }).click()
  // A click, since the box follows the address, which on a busy machine is a moment later than `uncheck` looks.
  await page.getByRole('checkbox', { name: 'Cause' }).click()
  await expect(page.getByRole('checkbox', { name: 'Cause' })).not.toBeChecked()
  await expect(page.getByRole('columnheader', { name: 'Cause' })).toBeHidden()
  await page.reload()
  await expect(page.getByRole('columnheader', { name: 'Owner' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Cause' })).toBeHidden()
})

test('an open popover follows its button when something comes above it', async ({ as }) => {
  const page = await as('admin', '/ess')
  const button = page.getByRole('button', { name: 'View' })
  await button.click()
  const topPx = async (element: Locator) => (await element.boundingBox())?.y ?? Number.NaN
  const popover = page.getByRole('dialog', { name: 'View' })
  const before = await topPx(button)
  const gap = (await topPx(popover)) - before
  await page.getByRole('main').evaluate((main) => {
    const banner = document.createElement('div')
    banner.style.height = '60px'
    main.prepend(banner)
  })
  await expect.poll(() => topPx(button)).toBeGreaterThanOrEqual(before + 59)
  await expect.poll(async () => Math.abs((await topPx(popover)) - (await topPx(button)) - gap)).toBeLessThan(2)
})

test('staff see more rows at once, until this device is told otherwise', async ({ as }) => {
  const page = await as('service_engineer', '/ess')
  const heightPx = async () => (await page.getByRole('row').nth(1).boundingBox())?.height ?? 0
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  expect(await heightPx()).toBeLessThan(34)
  await page.getByRole('button', { name: 'View' }).click()
  await page.getByRole('checkbox', { name: 'Compact rows' }).uncheck()
  await expect.poll(heightPx).toBeGreaterThanOrEqual(40)
  await page.reload()
  await expect.poll(heightPx).toBeGreaterThanOrEqual(40)
})

test('what the address says never becomes the method or a header of a call', async ({ as, calls }) => {
  const page = await as('admin', '/ess?method=delete&headers[x]=1&connection=ONLINE')
  await expect(page.getByRole('columnheader', { name: 'Owner' })).toBeVisible()
  expect(calls.filter((call) => !call.startsWith('GET ') && !call.startsWith('POST /api/auth'))).toEqual([])
})

test('the first turn of the wheel over a list moves the page, and the heads of its columns stay under the bar', async ({
  as,
}) => {
  const page = await as('admin', '/ess?limit=50')
  await page.setViewportSize({ width: 1280, height: 720 })
  await expect(page.getByRole('link', { name: /^ESS-/ }).first()).toBeVisible()
  const grid = page.locator('.ui-grid')
  expect(await grid.evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0)
  await grid.hover({ position: { x: 300, y: 200 } })
  await page.mouse.wheel(0, 100)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(100)
  await page.mouse.wheel(0, 500)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(600)
  const bar = await page.getByRole('banner').boundingBox()
  const head = await page.getByRole('columnheader', { name: 'Connection' }).boundingBox()
  expect(head?.y).toBeCloseTo((bar?.y ?? 0) + (bar?.height ?? 0), 0)
})
