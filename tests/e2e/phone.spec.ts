import type { Page } from '@playwright/test'
import { expect, test } from './support/console.ts'

test.use({ viewport: { width: 390, height: 800 } })

const overflow = (page: Page) =>
  page.evaluate(() => {
    const width = document.scrollingElement?.scrollWidth ?? 0
    return width <= window.innerWidth ? [] : [`${width} > ${window.innerWidth}`]
  })

for (const language of ['en', 'ru']) {
  test(`on a phone no page is wider than the screen: ${language}`, async ({ as, api, page: own }) => {
    await own.addInitScript((chosen) => localStorage.setItem('ess-console.language', chosen), language)
    await own.goto('/login')
    await expect(own.getByRole('textbox').first()).toBeVisible()
    expect(await overflow(own), 'sign-in').toEqual([])
    const admin = await api('admin')
    const { id } = await admin.first('ess?code=ESS-000003')
    const board = await admin.first(`control-pcb?essId=${id}`)
    const page = await as('admin', '/')
    for (const path of [
      '/',
      '/ess',
      '/user',
      `/ess/${id}`,
      `/ess/${id}/guest`,
      `/ess/${id}/edit`,
      `/control-pcb/${board.id}/telemetry?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z`,
      '/firmware/create',
      '/profile',
    ]) {
      await page.goto(path)
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
      await page.waitForTimeout(300)
      expect(await overflow(page), path).toEqual([])
    }
  })
}

test('on a phone the menu opens, leads on, and closes; a dialog fits', async ({ as, api }) => {
  const { id } = await (await api('admin')).first('ess?code=ESS-000003')
  const page = await as('admin', '/')
  await page.getByRole('banner').getByRole('button', { name: /menu/i }).click()
  await page.getByRole('link', { name: 'ESS', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'ESS', level: 1 })).toBeVisible()
  await page.goto(`/ess/${id}`)
  await page.getByRole('button', { name: 'Set owner' }).click()
  const box = await page.getByRole('dialog').boundingBox()
  expect(box?.x).toBeGreaterThanOrEqual(0)
  expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(390)
  expect(await overflow(page)).toEqual([])
})

test('on a phone a list begins near the top: two filters, the others in the menu, and the name of a row whole', async ({
  as,
}) => {
  const page = await as('admin', '/telemetry-warning')
  const main = page.getByRole('main')
  await expect(main.getByRole('row').nth(1)).toBeVisible()
  await expect(main.getByRole('button', { name: 'Severity', exact: true }).first()).toBeVisible()
  await expect(main.getByRole('button', { name: 'Acknowledged', exact: true })).toHaveCount(0)
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(main.getByRole('button', { name: 'Acknowledged', exact: true }).first()).toBeVisible()
  await page.setViewportSize({ width: 390, height: 800 })
  await expect(main.getByRole('button', { name: 'Acknowledged', exact: true })).toHaveCount(0)
  await main.getByRole('button', { name: 'More filters' }).click()
  await page.getByRole('menuitem', { name: 'Acknowledged', exact: true }).click()
  await expect(main.getByRole('button', { name: 'Acknowledged', exact: true })).toBeVisible()
  await page.goto('/client?q=client0')
  const first = main.getByRole('row').nth(1).getByRole('cell').first()
  await expect(first).toContainText('@example.com')
  expect(await first.evaluate((cell) => cell.scrollWidth <= cell.clientWidth)).toBe(true)
})
