import { expect, test } from './support/console.ts'
import { dialog, expectFault, fact, text } from './support/form.ts'
import { newEss } from './support/records.ts'

test('a date is typed in the order of the console’s language, whatever that of the browser is', async ({
  as,
  api,
  page: own,
}) => {
  const { id } = await newEss(await api('admin'), { installedAt: '2026-02-03' })
  await own.addInitScript(() => localStorage.setItem('ess-console.language', 'ru'))
  const page = await as('admin', `/ess/${id}/edit`)
  const installed = text(page, 'Установлена')
  await expect(installed).toHaveValue('03.02.2026')
  await installed.fill('04.05.2026')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(fact(page, 'Установлена')).toHaveText('4 мая 2026 г.')
})

test('a date that is none stands as it was typed, and is refused at its field', async ({ as, api, calls }) => {
  const { id } = await newEss(await api('admin'), { installedAt: '2026-02-03' })
  const page = await as('admin', `/ess/${id}/edit`)
  const installed = text(page, 'Installed')
  await installed.fill('31/02/2026')
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'Save' }).click()
  await expectFault(installed, /There is no such date/)
  await expect(installed).toHaveValue('31/02/2026')
  expect(calls.filter((call) => call.startsWith('PUT'))).toEqual([])
  await installed.fill('28/02/2026')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(fact(page, 'Installed')).toHaveText('28 Feb 2026')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('a moment is picked in a calendar that fits the page', async ({ as, api }) => {
    const { id } = await newEss(await api('admin'))
    const page = await as('admin', `/ess/${id}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Set maintenance' }).click()
    const until = dialog(page).getByLabel('Until')
    await until.click()
    const calendar = page.locator('.ant-picker-dropdown')
    await expect(calendar).toBeVisible()
    await expect(async () => {
      const box = await calendar.boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(390)
    }).toPass()
    await calendar.locator('.ant-picker-header-next-btn').first().click()
    await calendar.locator('.ant-picker-cell-in-view').filter({ hasText: /^15$/ }).click()
    await calendar.locator('.ant-picker-time-panel-column').first().getByText('09', { exact: true }).click()
    await calendar.locator('.ant-picker-time-panel-column').nth(1).getByText('30', { exact: true }).click()
    await dialog(page).getByText('Set maintenance').first().click()
    await expect(until).toHaveValue(/^15\/\d\d\/\d{4} 09:30$/)
  })
})
