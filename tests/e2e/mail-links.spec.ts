import type { Page } from '@playwright/test'
import { accountPassword, linkTo, newAccount } from './support/accounts.ts'
import { expect, test } from './support/console.ts'
import { dialog, text } from './support/form.ts'
import { newEss, newUser } from './support/records.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

const password = (page: Page) => page.getByLabel(/^New password/)

/** Opens the link of a letter; its secret must leave neither a trace in the address nor one in a call's. */
async function open(page: Page, link: string, calls: readonly string[]) {
  const secret = link.split('#token=')[1] ?? ''
  expect(secret.length).toBeGreaterThan(20)
  await page.goto(link)
  await expect(page.getByRole('main').getByRole('button').first()).toBeVisible()
  await expect(page).toHaveURL(link.split('#')[0] ?? '')
  expect(calls.filter((call) => call.includes(secret))).toEqual([])
}

async function signIn(page: Page, email: string, password = accountPassword) {
  await page.goto('/login')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(heading(page, 'Dashboard')).toBeVisible()
}

test('who was given an account finishes it by the letter, once', async ({ page, api, calls }) => {
  const admin = await api('admin')
  const { email } = await newUser(admin)
  const link = await linkTo(admin, String(email), '/register/complete')
  await open(page, link, calls)
  await expect(heading(page, 'Finish the registration')).toBeVisible()
  await page.getByLabel('First name').fill('Petra')
  await page.getByLabel('Last name').fill('Person')
  await password(page).fill(accountPassword)
  await page.getByRole('button', { name: 'Create the account' }).click()
  await expect(page.getByText('The account is ready. You can sign in.')).toBeVisible()
  await signIn(page, String(email))

  await open(page, link, calls)
  await page.getByLabel('First name').fill('Eve')
  await page.getByLabel('Last name').fill('Second')
  await password(page).fill(accountPassword)
  await page.getByRole('button', { name: 'Create the account' }).click()
  await expect(heading(page, 'The link no longer works')).toBeVisible()
  await expect(page.getByText(/Ask your administrator to send it again/)).toBeVisible()
})

test('a guest who is new sets name and password with the invitation, and sees the system', async ({ page, api, calls }) => {
  const admin = await api('admin')
  const ess = await newEss(admin)
  const owner = await admin.first('user/client?status=ACTIVE')
  await admin.send('PUT', `ess/${ess.id}/owner`, { clientId: owner.id })
  await admin.send('POST', `ess/${ess.id}/invite-guest`, { email: 'guest-by-letter@test.example' })
  await open(page, await linkTo(admin, 'guest-by-letter@test.example', '/invitation/complete'), calls)
  await expect(heading(page, 'Invitation')).toBeVisible()
  await text(page, 'First name').fill('Greta')
  await text(page, 'Last name').fill('Guest')
  await password(page).fill(accountPassword)
  await page.getByRole('button', { name: 'Accept' }).click()
  await expect(page.getByText('The invitation is accepted. You can sign in.')).toBeVisible()
  await signIn(page, 'guest-by-letter@test.example')
  await expect(page.getByRole('main')).toContainText(String(ess.code))
  await expect(page.getByText('Shared with you')).toBeVisible()
})

test('a forgotten password is replaced by a letter, and nobody learns who has an account', async ({
  page,
  api,
  server,
  calls,
}) => {
  const admin = await api('admin')
  const { email } = await newAccount(server.url, admin)
  const said = 'If there is such an account, a mail with a link is on its way.'
  for (const address of ['nobody-at-all@test.example', email]) {
    await page.goto('/login')
    await page.getByRole('link', { name: 'Forgot the password?' }).click()
    await page.getByLabel('E-mail').fill(address)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await expect(page.getByText(said)).toBeVisible()
  }
  await open(page, await linkTo(admin, email, '/restore-password'), calls)
  await password(page).fill(email)
  await page.getByRole('button', { name: 'Set the password' }).click()
  await expect(password(page)).toHaveAttribute('aria-invalid', 'true')
  await password(page).fill('another-quiet-river-8')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await expect(page.getByText('The password is changed. You can sign in.')).toBeVisible()
  await signIn(page, email, 'another-quiet-river-8')
})

test('a new address counts once its letter is answered', async ({ page, api, server, calls }) => {
  const admin = await api('admin')
  const { email } = await newAccount(server.url, admin)
  await signIn(page, email)
  await page.goto('/profile')
  const card = page.locator('.ui-card', { has: page.getByRole('heading', { name: 'Change the e-mail address' }) })
  await card.getByLabel('New address').fill('new-address@test.example')
  await card.getByLabel('Current password', { exact: true }).fill(accountPassword)
  await card.getByRole('button', { name: 'Send' }).click()
  await expect(card).toContainText('A mail with a link has been sent to new-address@test.example')
  await open(page, await linkTo(admin, 'new-address@test.example', '/change-email/complete'), calls)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('The address is changed. Sign in with the new one.')).toBeVisible()
  await page.evaluate(() => localStorage.removeItem('ess-console.session'))
  await signIn(page, 'new-address@test.example')
})

test('who was deleted brings the account back by the letter', async ({ page, api, server, calls, as }) => {
  const admin = await api('admin')
  const { id, email } = await newAccount(server.url, admin, 'client')
  const console = await as('admin', `/user/${id}`)
  await console.getByRole('button', { name: 'More actions' }).click()
  await console.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(dialog(console)).toContainText('with a link that restores the account within 30 days')
  await expect(dialog(console).getByText('They own')).toBeHidden()
  await dialog(console).getByRole('button', { name: 'Delete' }).click()
  await expect(console).toHaveURL(/\/user$/)
  await open(page, await linkTo(admin, email, '/restore-self'), calls)
  await expect(heading(page, 'Keep the account')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel the deletion' }).click()
  await expect(page.getByText('The deletion is cancelled. You can sign in.')).toBeVisible()
  expect((await admin.get(`user/${id}`)).status).toBe('ACTIVE')
})

const dead = [
  { path: '/invitation/complete', button: 'Accept', why: /Ask the person who invited you/, way: 'To sign-in' },
  { path: '/restore-self', button: 'Cancel the deletion', why: /the 30 days are over/, way: 'Support' },
  { path: '/change-email/complete', button: 'Confirm', why: /older than 24 hours/, way: 'To sign-in' },
]

for (const { path, button, why, way } of dead) {
  test(`a dead link at ${path} says why that may be, and what to do`, async ({ page }) => {
    await page.goto(`${path}#token=${'x'.repeat(43)}`)
    await page.getByRole('button', { name: button }).click()
    await expect(heading(page, 'The link no longer works')).toBeVisible()
    await expect(page.getByText(why)).toBeVisible()
    await expect(page.getByRole('link', { name: way }).first()).toBeVisible()
    await page.goto(path)
    await expect(heading(page, 'The link is not complete')).toBeVisible()
  })
}

test('support takes a message from anybody and gives it a number', async ({ page }) => {
  await page.goto('/support')
  await page.getByLabel('Your name').fill('Olga')
  await page.getByLabel('E-mail').fill('olga@test.example')
  await page.getByLabel('Topic').fill('No letter')
  await page.getByLabel('Message').fill('I wait for the letter since noon.')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText(/Your ticket number is \S+/)).toBeVisible()
})

test('the about page tells version and description of the API, inside a session too', async ({ page, as }) => {
  await page.goto('/about')
  await expect(page.getByRole('definition').filter({ hasText: /^\d+\.\d+\.\d+$/ })).toBeVisible()
  await expect(page.getByRole('link', { name: '/api/docs' })).toBeVisible()
  await as('client', '/about')
  await expect(heading(page, 'About')).toBeVisible()
})
