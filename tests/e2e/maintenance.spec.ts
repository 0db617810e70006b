import { expect, test } from './support/console.ts'
import { dialog, expectFault, fact, notice, text } from './support/form.ts'
import { newEss } from './support/records.ts'

test('maintenance begins only with an end, is prolonged with what it has, and ends by a button of its own', async ({
  as,
  api,
}) => {
  const admin = await api('admin')
  const { id } = await newEss(admin)
  const page = await as('admin', `/ess/${id}`)
  const begin = page.getByRole('button', { name: 'Set maintenance', exact: true })
  const end = page.getByRole('button', { name: 'End maintenance' })
  const until = dialog(page).getByLabel('Until')
  await expect(end).toHaveCount(0)

  await begin.click()
  await text(dialog(page), 'Reason').fill('A new fan')
  await dialog(page).getByRole('button', { name: 'Set maintenance' }).click()
  await expectFault(until, /required/)
  await expect(until).toBeFocused()
  expect((await admin.get<{ maintenance: unknown }>(`ess/${id}`)).maintenance).toBeNull()
  // The desk is in Moscow.
  await until.fill(new Date(Date.now() + 5 * 3_600_000).toISOString().slice(0, 16))
  await dialog(page).getByRole('button', { name: 'Set maintenance' }).click()
  await expect(notice(page, 'The ESS is under maintenance')).toBeVisible()
  await expect(fact(page, 'Maintenance')).toContainText('A new fan')

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Set maintenance' }).click()
  await expect(text(dialog(page), 'Reason')).toHaveValue('A new fan')
  await expect(until).not.toHaveValue('')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()

  await end.click()
  await expect(notice(page, 'Maintenance has ended')).toBeVisible()
  await expect(end).toHaveCount(0)
  expect((await admin.get<{ maintenance: unknown }>(`ess/${id}`)).maintenance).toBeNull()
})
