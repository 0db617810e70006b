import type { Page } from '@playwright/test'
import { expect, test } from './support/console.ts'

const card = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name, exact: true }) })
const width = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test('every part of a figure leads to the rows that it counts', async ({ as }) => {
  const page = await as('admin')
  const links = card(page, 'ESS: Connection').getByRole('listitem').getByRole('link')
  await expect(links.first()).toBeVisible()
  const texts = await links.allTextContents()
  for (const [index, text] of texts.entries()) {
    const count = Number(/[\d,]+$/.exec(text)?.[0].replace(',', ''))
    await links.nth(index).click()
    await expect(page).toHaveURL(/\/ess\?connection=/)
    await expect(page.getByText(new RegExp(`of ${count}$`))).toBeVisible()
    await page.goBack()
    await expect(links.first()).toBeVisible()
  }
})

test('the spread of firmware names the state of each version and opens its boards', async ({ as }) => {
  const page = await as('moderator')
  const revoked = card(page, 'Control PCB: Firmware').getByRole('link', { name: /2\.0\.0.*Revoked/ })
  const count = Number(/\d+$/.exec((await revoked.textContent()) ?? '')?.[0])
  await revoked.click()
  await expect(page).toHaveURL('/control-pcb?firmware.currentVersion=2.0.0')
  await expect(page.getByText(new RegExp(`of ${count}$`))).toBeVisible()
})

test('what is to be tidied up is counted and opened', async ({ as, api }) => {
  const admin = await api('admin')
  const unowned = await admin.total('ess?_end=1&ownerId_null=true&lifecycle_ne=DECOMMISSIONED')
  const page = await as('admin')
  const tile = page.getByRole('list', { name: 'To look at' }).getByRole('link', { name: /ESS without an owner/ })
  await expect(tile).toContainText(String(unowned))
  await tile.click()
  await expect(page.getByText(new RegExp(`of ${unowned}$`))).toBeVisible()
})

test('charts have names that say what they show', async ({ as }) => {
  const page = await as('admin')
  await expect(page.getByRole('img', { name: /^ESS: Lifecycle\. .*In operation: \d+/ })).toBeVisible()
})

test('a change stands among the recent ones, with the way to its record, when the window is looked at again', async ({
  as,
  api,
  page: own,
}) => {
  await own.clock.install()
  const page = await as('admin')
  await expect(page.getByText(/^As of \d\d:\d\d:\d\d$/)).toBeVisible()
  const admin = await api('admin')
  const ess = await admin.first('ess?code=ESS-000009')
  await admin.send('PUT', `ess/${ess.id}`, { version: ess.version, name: 'Renamed behind the back' })
  await page.clock.fastForward('00:06')
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  const recent = card(page, 'Recently changed')
  await expect(recent.getByText('Ada Admin: changed').first()).toBeVisible()
  await recent.getByRole('link', { name: 'ESS-000009' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'ESS-000009' })).toBeVisible()
})

test('the figures are asked for again every half minute', async ({ as, calls, page }) => {
  await page.clock.install()
  await as('admin')
  await expect(card(page, 'ESS: Connection')).toBeVisible()
  const asked = () => calls.filter((call) => call.startsWith('GET /api/dashboard/summary')).length
  const before = asked()
  await page.clock.fastForward(31_000)
  await expect.poll(asked).toBeGreaterThan(before)
})

test('a client sees the systems that are his or shared, and nothing of boards or other people', async ({ as, calls }) => {
  const page = await as('client')
  await expect(page.getByText('Yours').first()).toBeVisible()
  await expect(page.getByText('Shared with you')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('ESS-000001')
  await expect(page.getByRole('main')).not.toContainText(/PCB|\bboards?\b|package/i)
  expect(calls.filter((call) => !/auth|dashboard|events|device|locales/.test(call))).toEqual([])
})

test('an installer sees what is left to do at the systems that he puts up', async ({ as }) => {
  const page = await as('installer')
  await expect(page.getByText(/\d of 6 done/).first()).toBeVisible()
  await expect(page.getByText('A board is attached').first()).toBeVisible()
  await expect(page.getByRole('main').getByRole('link')).toHaveCount(0)
})

for (const role of ['admin', 'client', 'installer'] as const) {
  test(`the first page of a ${role} fits a phone, in Russian and in the dark`, async ({ as, page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.addInitScript(() => localStorage.setItem('ess-console.language', 'ru'))
    await as(role)
    await expect(page.getByRole('heading', { level: 1, name: 'Сводка' })).toBeVisible()
    await expect(page.getByText(/\d\d:\d\d:\d\d/).first()).toBeVisible()
    expect(await width(page)).toBe(0)
    const text = (await page.getByRole('main').textContent()) ?? ''
    expect(text.match(/\b(?:ESS|Board|Unknown|Firmware|Connection|Yours|Shared)\b(?!-)/g) ?? []).toEqual([])
  })
}
