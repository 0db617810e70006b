import type { Page } from '@playwright/test'
import { expect, test } from './support/console.ts'
import { TalkingBoard } from './support/talking-board.ts'

const path = '/filling/reference'
const input = (page: Page, part: string, severity: string) =>
  page.getByRole('textbox', { name: `${part}: Battery too hot, ${severity}` })
const writes = (calls: readonly string[]) => calls.filter((call) => /^(?:PUT|DELETE) \/api\/warning-threshold/.test(call))
/** The first level of a threshold. */
const rowOf = (page: Page, warning: string) =>
  page.getByRole('table', { name: 'Warning thresholds' }).getByRole('row').filter({ hasText: warning }).first()

test('a threshold is changed in place, looked at before it is written, and brought back', async ({
  as,
  api,
  calls,
  server,
}) => {
  const admin = await api('admin')
  const board = await TalkingBoard.attach(admin, server.url)
  await board.send(board.frame({ cellTempMinC: 38, cellTempAvgC: 39, cellTempMaxC: 40 }))
  const page = await as('admin', path)
  await page.getByRole('button', { name: 'Change: Battery too hot' }).click()
  await input(page, 'Raise at', 'Warning').fill('39')
  await expect(page.getByText('It ends on the safe side of where it begins')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Preview' })).toBeDisabled()
  await input(page, 'Clear at', 'Warning').fill('37,5')
  await page.getByRole('textbox', { name: /^Delay, s: Battery too hot/ }).fill('0')
  await page.getByRole('button', { name: 'Preview' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Warning: 45 / 42 °C → 39 / 37.5 °C')
  await expect(dialog).toContainText('Delay: 1 min → 0 s')
  await expect(dialog).toContainText(/warnings would begin: [1-9]/)
  await expect(dialog).toContainText(`${board.code}: 40.00 °C, none → Warning`)
  expect(writes(calls)).toEqual([])

  await dialog.getByRole('button', { name: 'Change for the fleet' }).click()
  await expect(page.getByText('The threshold is changed').first()).toBeVisible()
  await expect(rowOf(page, 'Battery too hot')).toContainText('45.0 / 42.0, 1 min')
  const [entry] = await admin.get<{ after: { levels: unknown[] } }[]>('audit-log?_end=1&action=set-threshold&code=OVER_TEMP')
  expect(entry?.after.levels[0]).toEqual({ severity: 'WARNING', raise: 39, clear: 37.5 })

  await page.getByRole('button', { name: 'Back to standard: Battery too hot' }).click()
  await expect(dialog).toContainText('Warning: 39.0 / 37.5 °C → 45.0 / 42.0 °C')
  await dialog.getByRole('button', { name: 'Back to standard' }).click()
  await expect(rowOf(page, 'Battery too hot')).toContainText('as standard')
})

test('a threshold that another person has changed meanwhile is not overwritten', async ({ as, api }) => {
  const admin = await api('admin')
  const page = await as('admin', path)
  await page.getByRole('button', { name: 'Change: Battery too hot' }).click()
  await input(page, 'Raise at', 'Critical').fill('58')
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect(page.getByRole('dialog')).toContainText('58 / 50 °C')
  const levels = [
    { severity: 'WARNING', raise: 46, clear: 43 },
    { severity: 'CRITICAL', raise: 56, clear: 51 },
  ]
  const thresholds = await admin.get<{ key: string; version: number }[]>('warning-threshold')
  const version = thresholds.find(({ key }) => key === 'OVER_TEMP')?.version
  await admin.send('PUT', 'warning-threshold/OVER_TEMP', { delayS: 60, levels, version })
  await page.getByRole('dialog').getByRole('button', { name: 'Change for the fleet' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(rowOf(page, 'Battery too hot')).toContainText('46')
  await admin.send('DELETE', 'warning-threshold/OVER_TEMP')
})

test('the window of a chemistry is changed in place, looked at before it is written, and brought back', async ({
  as,
  api,
  calls,
}) => {
  const admin = await api('admin')
  const page = await as('admin', path)
  const table = page.getByRole('table', { name: 'Cell voltage by chemistry, mV' })
  const row = table.getByRole('row').filter({ hasText: 'NMC' })
  const cell = (part: string) => page.getByRole('textbox', { name: new RegExp(`^${part}: .*NMC`) })
  await page.getByRole('button', { name: /^Change: .*NMC/ }).click()
  await cell('Usual upper limit').fill('4300')
  await expect(page.getByText('Use whole millivolts from 1500 to 4250')).toBeVisible()
  await cell('Usual upper limit').fill('4100')
  await cell('Upper limit to').fill('4099')
  await expect(page.getByText('Must lie inside the window')).toBeVisible()
  await expect(row.getByRole('button', { name: 'Preview' })).toBeDisabled()
  await cell('Upper limit to').fill('4120')
  await row.getByRole('button', { name: 'Preview' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Upper limit to: 4250 → 4120 mV')
  await expect(dialog).toContainText('Usual upper limit: 4150 → 4100 mV')
  await expect(dialog).toContainText(/Of [1-9]\d* boards|No board of this chemistry/)
  expect(calls.filter((call) => /^(?:PUT|DELETE) \/api\/chemistry-preset/.test(call))).toEqual([])
  await dialog.getByRole('button', { name: 'Change for the fleet' }).click()
  await expect(page.getByText('The preset is changed').first()).toBeVisible()
  await expect(row).toContainText('4000 – 4120')
  await expect(row).toContainText('Upper limit: 4000 – 4250')
  const presets = await admin.get<{ chemistry: string; highestMaxMv: number }[]>('chemistry-preset')
  expect(presets.find(({ chemistry }) => chemistry === 'NMC')?.highestMaxMv).toBe(4120)
  await page.getByRole('button', { name: /^Back to standard: .*NMC/ }).click()
  await dialog.getByRole('button', { name: 'Back to standard' }).click()
  await expect(row).toContainText('as standard')
})

test('fits a phone, in Russian and in the dark, while a threshold is being changed', async ({ as, page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.addInitScript(() => localStorage.setItem('ess-console.language', 'ru'))
  await as('admin', path)
  await page.getByRole('button', { name: 'Изменить: Перегрев батареи' }).click()
  await page.getByRole('textbox', { name: 'Поднять при: Перегрев батареи, Авария' }).fill('44')
  await expect(page.getByText('Более тяжёлый уровень начинается за предыдущим')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
})
