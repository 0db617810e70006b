import { expect, type Page, test } from '@playwright/test'
import { fact, text } from './support/form.ts'
import { type MinimalServer, startMinimalServer } from './support/minimal-server.ts'

const systems = () =>
  Array.from({ length: 60 }, (_, index) => ({
    id: `s${index + 1}`,
    version: 1,
    code: `OWN-${String(index + 1).padStart(3, '0')}`,
    name: `System ${index + 1}`,
    lifecycle: 'IN_OPERATION',
    profile: 'HOME',
    chemistry: 'LFP',
    ratedEnergyWh: 10_000,
    ratedChargePowerW: 5_000,
    ratedDischargePowerW: 5_000,
    location: { address: 'Pier 4', timezone: 'Europe/Berlin' },
    ownerId: 'c1',
    owner: { id: 'c1', name: 'Harbour Ltd' },
  }))

let server: MinimalServer | undefined
test.afterEach(() => server?.stop())

async function signIn(page: Page, url: string) {
  await page.goto(url)
  await page.getByRole('textbox', { name: 'E-mail' }).fill('somebody@example.com')
  await page.getByLabel('Password', { exact: true }).fill('a password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('a server with one list and a sign-in is enough to list, open, change and sign out', async ({ page }) => {
  server = await startMinimalServer(systems())
  await signIn(page, server.url)
  await expect(page.getByText('60 records')).toBeVisible()
  const menu = page.getByRole('navigation', { name: 'Main menu' })
  await expect(menu.getByRole('link')).toHaveText(['Dashboard', 'ESS'])
  await menu.getByRole('link', { name: 'ESS' }).click()
  await expect(page.getByText('1–25 of 60')).toBeVisible()
  await expect(page.getByRole('row').nth(1)).toContainText('Harbour Ltd')
  await expect(page.getByRole('link', { name: 'Import' })).toHaveCount(0)
  await page.getByRole('link', { name: 'OWN-007' }).click()
  await page.getByRole('link', { name: 'Edit' }).click()
  await text(page, 'Name').fill('Renamed')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(fact(page, 'Name')).toHaveText('Renamed')
  await page.getByRole('button', { name: 'somebody@example.com' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect.poll(() => server?.calls).toContain('POST auth/logout')
})

test('without a total the further rows are reached page by page', async ({ page }) => {
  server = await startMinimalServer(systems(), { total: false })
  await signIn(page, server.url)
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'ESS' }).click()
  await expect(page.getByText('1–25', { exact: true })).toBeVisible()
  const next = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Next page' })
  await next.click()
  await expect(page.getByText('26–50', { exact: true })).toBeVisible()
  await next.click()
  await expect(page.getByText('51–60 of 60')).toBeVisible()
  await expect(next).toHaveCount(0)
})
