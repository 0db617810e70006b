import type { Page } from '@playwright/test'
import { expect, test } from './support/console.ts'
import { dialog, notice, search, text } from './support/form.ts'
import { essCode, newEss } from './support/records.ts'

test.use({ viewport: { width: 390, height: 844 } })

const plate = { profile: 'HOME', chemistry: 'NMC', ratedEnergyWh: 9_000, ratedChargePowerW: 3_000, ratedDischargePowerW: 3_000 }
const rowOf = (page: Page, code: string) => page.getByRole('table').getByRole('link', { name: code })
const expectToFit = async (page: Page) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)

test('rows of a tab are made, attached and detached from its record, by the keyboard on a phone', async ({ as, api }) => {
  const admin = await api('admin')
  const [code, there] = [essCode(), await newEss(admin)]
  const model = await admin.send('POST', 'ess-model', { manufacturer: 'Ohm', model: `Model of ${code}`, ...plate })
  const page = await as('admin', `/ess-model/${model.id}/ess`)
  await page.getByRole('link', { name: 'Create: ESS' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'New ESS', level: 1 })).toBeVisible()
  await text(page, 'Code').fill(code)
  await text(page, 'Name').fill('House of a tab')
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Europe/Berlin')
  await expect(page.getByRole('combobox', { name: 'Model from the list' })).toHaveCount(0)
  await expectToFit(page)
  await page.keyboard.press('Control+s')
  await expect(page).toHaveURL(new RegExp(`/ess-model/${model.id}/ess\\?sort=-createdAt$`))
  await expect(rowOf(page, code)).toBeFocused()
  const made = await admin.first(`ess?code=${code}`)
  expect(await admin.get(`ess/${made.id}`)).toMatchObject({ essModelId: model.id, ...plate })

  await page.getByRole('button', { name: 'Attach' }).press('Enter')
  await search(page, 'ESS', String(there.code))
  await expectToFit(page)
  await dialog(page).getByRole('button', { name: 'Attach' }).press('Enter')
  await expect(notice(page, 'Attached: 1')).toBeVisible()
  await expect(rowOf(page, String(there.code))).toBeVisible()
  // A dialog that is still there gives the focus back to its button when it goes.
  await expect(dialog(page)).toHaveCount(0)

  await page.getByRole('button', { name: `More actions: ${there.code}` }).press('ArrowDown')
  await page.getByRole('menuitem', { name: 'Detach' }).press('Enter')
  await dialog(page).getByRole('button', { name: 'Detach' }).press('Enter')
  await expect(notice(page, `Detached: ${there.code}`)).toBeVisible()
  await expect(rowOf(page, String(there.code))).toHaveCount(0)
  await expect(rowOf(page, code)).toBeVisible()
  expect(await admin.get(`ess/${there.id}`)).toMatchObject({ essModelId: null, version: 3 })
})
