import { accounts } from './support/api-user.ts'
import { expect, test } from './support/console.ts'
import { demoPassword } from './support/live-server.ts'

test('a visitor is asked to sign in, and lands on the page that was asked for', async ({ page }) => {
  await page.goto('/ess?connection=OFFLINE')
  await expect(page).toHaveURL(/\/login\?to=/)
  await page.getByLabel('E-mail').fill(accounts.admin)
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'ESS', level: 1 })).toBeVisible()
  await expect(page).toHaveURL(/\/ess\?connection=OFFLINE$/)
})

test('a wrong password says so once, keeps the e-mail, and signs nobody in', async ({ page, calls }) => {
  await page.goto('/login')
  await page.getByLabel('E-mail').fill('nobody@example.com')
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.keyboard.press('Enter')
  await expect(page.getByText('E-mail or password is wrong').first()).toBeVisible()
  await expect(page.getByLabel('E-mail')).toHaveValue('nobody@example.com')
  expect(calls.filter((call) => call === 'POST /api/auth/login')).toHaveLength(1)
})

test('who is signed in is sent from the sign-in page to the root', async ({ as }) => {
  const page = await as('admin', '/login')
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
})

for (const target of ['//evil.example', '/\\evil.example', 'https:evil.example', 'javascript:alert(1)', '/login']) {
  test(`signing in never leads to ${target}`, async ({ page, server }) => {
    await page.goto(`/login?to=${encodeURIComponent(target)}`)
    await page.getByLabel('E-mail').fill(accounts.moderator)
    await page.getByLabel('Password', { exact: true }).fill(demoPassword)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
    expect(page.url()).toBe(`${server.url}/`)
  })
}

test('who signs out on a dead line and leaves at once is signed out of the browser', async ({ as }) => {
  const page = await as('admin')
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  await page.route('**/api/auth/logout', () => undefined)
  await page.getByRole('button', { name: 'Account of Ada Admin' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.goto('/user')
  await expect(page).toHaveURL(/\/login\?to=%2Fuser$/)
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
})

test('signing out ends the session on the server and forgets the token', async ({ as, calls }) => {
  const page = await as('admin')
  await page
    .getByRole('button', { name: accounts.admin })
    .or(page.getByRole('button', { name: 'Account' }))
    .click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect.poll(() => calls).toContain('POST /api/auth/logout')
  const stored = await page.evaluate(() => localStorage.getItem('ess-console.session'))
  expect(stored ?? '').not.toContain('accessToken"')
})
