import type { Page } from '@playwright/test'
import { expect, test } from './support/console.ts'

const address = '/ess?columns=code,installedAt&limit=10&sort=code&installedAt_gte=2020-01-01'
/** Of the viewer's zone, as the browser of the tests has it. */
const dayAt = (days: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Moscow' }).format(Date.now() + days * 86_400_000)

async function openFilter(page: Page, name = 'Installed') {
  const button = page.getByRole('button', { name: new RegExp(`^${name}`), expanded: false })
  await button.focus()
  await page.keyboard.press('Enter')
  const box = page.getByRole('dialog', { name })
  await expect(box.getByRole('button', { name: /^(Today|Сегодня)$/ })).toBeFocused()
  return box
}

const askedOf = (page: Page) => {
  const asked = new URL(page.url()).searchParams
  return [asked.get('installedAt_gte'), asked.get('installedAt_lte')]
}

test('the usual periods are one press of a key', async ({ as }) => {
  const page = await as('admin', address)
  const periods: [name: string, from: string, to: string][] = [
    ['Today', dayAt(0), dayAt(0)],
    ['Yesterday', dayAt(-1), dayAt(-1)],
    ['7 days', dayAt(-6), dayAt(0)],
    ['30 days', dayAt(-29), dayAt(0)],
  ]
  for (const [name, from, to] of periods) {
    const box = await openFilter(page)
    await box.getByRole('button', { name, exact: true }).press('Enter')
    await expect(box).toBeHidden()
    await expect.poll(() => askedOf(page)).toEqual([from, to])
  }
  const box = await openFilter(page)
  await box.getByRole('button', { name: 'This month' }).press('Enter')
  await expect.poll(() => askedOf(page)[0]).toBe(`${dayAt(0).slice(0, 8)}01`)
})

test('days are typed in the order of the language, and one end may stay open', async ({ as, page: own }) => {
  await own.addInitScript(() => localStorage.setItem('ess-console.language', 'ru'))
  const page = await as('admin', address)
  const box = await openFilter(page, 'Установлена')
  await box.getByRole('textbox', { name: 'С', exact: true }).fill('')
  await box.getByRole('textbox', { name: 'С', exact: true }).pressSequentially('15.03.2024')
  await page.keyboard.press('Enter')
  await expect.poll(() => askedOf(page)).toEqual(['2024-03-15', null])
  await expect(page.getByRole('main')).toContainText('15 мар. 2024')
})

test('the calendar speaks the language, begins the week on Monday, and Esc closes it before the filter', async ({
  as,
  page: own,
}) => {
  await own.addInitScript(() => localStorage.setItem('ess-console.language', 'ru'))
  const page = await as('admin', address)
  const box = await openFilter(page, 'Установлена')
  const from = box.getByRole('textbox', { name: 'С', exact: true })
  await from.fill('15.03.2024')
  await from.click()
  const calendar = page.locator('.ant-picker-dropdown:visible')
  await expect(calendar).toContainText('Мар')
  await expect(calendar.locator('th').first()).toHaveText(/^пн$/i)
  await calendar.getByText('21', { exact: true }).click()
  await expect(from).toHaveValue('21.03.2024')
  await from.click()
  await expect(calendar).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(calendar).toBeHidden()
  await expect(box).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(box).toBeHidden()
})

test('what is no day stays to be seen and holds the filter back', async ({ as }) => {
  const page = await as('admin', address)
  const box = await openFilter(page)
  const from = box.getByRole('textbox', { name: 'Since' })
  await from.fill('31/02/2024')
  await box.getByRole('button', { name: 'Apply' }).click()
  await expect(box).toBeVisible()
  await expect(from).toHaveValue('31/02/2024')
  expect(askedOf(page)).toEqual(['2020-01-01', null])
  await from.fill('29/02/2024')
  await box.getByRole('button', { name: 'Apply' }).click()
  await expect.poll(() => askedOf(page)).toEqual(['2024-02-29', null])
})

test('a filter of dates fits a phone', async ({ as, page: own }) => {
  await own.setViewportSize({ width: 390, height: 844 })
  const page = await as('admin', address)
  const box = await openFilter(page)
  await box.getByRole('textbox', { name: 'Since' }).click()
  const calendar = await page.locator('.ant-picker-dropdown:visible').boundingBox()
  expect((calendar?.x ?? 400) + (calendar?.width ?? 400)).toBeLessThanOrEqual(390)
  expect(await page.evaluate(() => document.scrollingElement?.scrollWidth)).toBe(390)
})
