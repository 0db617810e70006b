import type { Page } from '@playwright/test'
import { freePort } from '#tests/support/ports.ts'
import { accountPassword, newAccount } from './support/accounts.ts'
import { seriousFaults } from './support/axe.ts'
import { test as clocked } from './support/clocked-console.ts'
import { expect, signInPage } from './support/console.ts'
import { choose, dialog, notice } from './support/form.ts'
import { startFleet } from './support/live-server.ts'
import { type PasskeyWords, passkeyWords as words } from './support/passkey-words.ts'
import { newUser } from './support/records.ts'
import { VirtualDevice } from './support/virtual-device.ts'

const port = await freePort()
/** Browsers take no passkeys at a bare IP address. */
const url = `http://localhost:${port}`

/** Confirmations grow old before tokens do, so that a jump of the server's clock ends no session. */
const test = clocked.extend({
  server: [
    async ({ clock }, use) => {
      const settings = { PORT: String(port), PUBLIC_URL: url, CONFIRM_AFTER_MIN: '5', REQUIRE_SECOND_FACTOR: 'installer' }
      const server = await startFleet({ env: { ...clock.env, ...settings } })
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

const phone = { viewport: { width: 390, height: 800 }, baseURL: url }
const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)

const card = (page: Page, name: string) => page.locator('.ui-card', { has: page.getByRole('heading', { name, exact: true }) })

/** Presses a button by the keyboard. */
async function press(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true })
  await button.focus()
  await page.keyboard.press('Enter')
}

/** Adds the first passkey in the profile, by keyboard. */
async function addFirst(page: Page, said: PasskeyWords, name: string): Promise<void> {
  await page.goto('/profile')
  await press(page, said.add)
  await expect(dialog(page).getByRole('textbox')).toBeFocused()
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await expect(dialog(page).locator('textarea')).toHaveValue(/^([a-z2-7]{4}-){3}[a-z2-7]{4}\n/)
  await expect(dialog(page).getByRole('button', { name: said.kept })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toBeHidden()
  await expect(card(page, said.card)).toContainText(name)
}

async function signOut(page: Page, said: PasskeyWords): Promise<void> {
  await page.goto('/profile')
  await page.getByRole('main').getByRole('button', { name: said.signOut }).click()
  await expect(page.getByRole('button', { name: said.signIn })).toBeVisible()
}

async function givePassword(page: Page, email: string): Promise<void> {
  await page.locator('#email').fill(email)
  await page.locator('#password').fill(accountPassword)
  await page.keyboard.press('Enter')
}

const atHome = (page: Page, said: PasskeyWords) =>
  expect(page.getByRole('heading', { name: said.home, level: 1 })).toBeVisible()

test('a passkey is added in the profile, and signs in beside the password and without it, by keyboard', async ({
  page,
  api,
  server,
}) => {
  const { user, email } = await newAccount(server.url, await api('admin'))
  await signInPage(page, user)
  const device = await VirtualDevice.in(page)
  await addFirst(page, words.en, 'Office laptop')
  await expect(card(page, 'Passkeys')).toContainText('not used yet')
  expect(await seriousFaults(page)).toEqual([])
  expect(await device.passkeys()).toMatchObject([{ rpId: 'localhost', isResidentCredential: true, userName: email }])

  await signOut(page, words.en)
  await givePassword(page, email)
  await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeFocused()
  expect(await seriousFaults(page)).toEqual([])
  await page.keyboard.press('Enter')
  await atHome(page, words.en)

  await signOut(page, words.en)
  await page.goto('/login?to=/profile')
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible()
  expect(await seriousFaults(page)).toEqual([])
  await press(page, 'Sign in with a passkey')
  await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeVisible()
  await expect(card(page, 'Passkeys')).toContainText('last used')
})

test('the same in Russian on a phone', async ({ api, server, browser }) => {
  const { user, email } = await newAccount(server.url, await api('admin'))
  const context = await browser.newContext({ ...phone, locale: 'ru-RU' })
  const page = await context.newPage()
  await signInPage(page, user)
  await VirtualDevice.in(page)
  await addFirst(page, words.ru, 'Телефон')
  expect(await widthOf(page)).toBeLessThanOrEqual(390)
  expect(await seriousFaults(page)).toEqual([])
  await signOut(page, words.ru)
  expect(await widthOf(page)).toBeLessThanOrEqual(390)
  expect(await seriousFaults(page)).toEqual([])
  await givePassword(page, email)
  await expect(page.getByRole('button', { name: words.ru.use })).toBeFocused()
  expect(await widthOf(page)).toBeLessThanOrEqual(390)
  await page.keyboard.press('Enter')
  await atHome(page, words.ru)
  await signOut(page, words.ru)
  await press(page, words.ru.signIn)
  await atHome(page, words.ru)
  await context.close()
})

test('a passkey that is picked in the e-mail field signs in without a button', async ({ page, api, server, calls }) => {
  const { user } = await newAccount(server.url, await api('admin'))
  await signInPage(page, user)
  await VirtualDevice.in(page, { picks: true })
  await addFirst(page, words.en, 'Office laptop')
  await page.goto('/profile')
  await page.getByRole('main').getByRole('button', { name: words.en.signOut }).click()
  await expect.poll(() => calls.filter((call) => call === 'PUT /api/auth/passkey').length).toBe(1)
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Sign in')
  await page.goto('/profile')
  await expect(card(page, 'Passkeys')).toContainText('last used')
})

test('who shows a wrong finger, or has a copied passkey, reads why and comes in by a recovery code', async ({
  page,
  api,
  server,
}) => {
  const { user, email } = await newAccount(server.url, await api('admin'))
  await signInPage(page, user)
  const device = await VirtualDevice.in(page)
  await page.goto('/profile')
  await press(page, 'Add a passkey')
  await expect(dialog(page).getByRole('textbox')).toBeFocused()
  await page.keyboard.press('Enter')
  const [recovery = ''] = (await dialog(page).getByLabel('Recovery codes').inputValue()).split('\n')
  await dialog(page).getByRole('button', { name: 'I have kept them' }).click()
  await expect(card(page, 'Passkeys')).toContainText('· Linux')

  await signOut(page, words.en)
  await device.recognises(false)
  await press(page, 'Sign in with a passkey')
  await expect(page.getByRole('alert')).toContainText('No passkey was used: the question was cancelled, or took too long.')
  await device.recognises(true)
  await press(page, 'Sign in with a passkey')
  await atHome(page, words.en)

  await signOut(page, words.en)
  await device.setBack()
  await press(page, 'Sign in with a passkey')
  await expect(page.getByRole('alert')).toContainText('This passkey was not accepted')
  await givePassword(page, email)
  await press(page, 'Enter a code instead')
  await expect(page.getByLabel('Recovery code', { exact: true })).toBeFocused()
  await page.keyboard.type(recovery)
  await page.keyboard.press('Enter')
  await atHome(page, words.en)
})

test('a role that needs a second factor adds a passkey at sign-in, and keeps its last one', async ({
  api,
  server,
  browser,
}) => {
  const { email } = await newAccount(server.url, await api('admin'), 'installer')
  const context = await browser.newContext(phone)
  const page = await context.newPage()
  await VirtualDevice.in(page)
  await page.goto('/login?to=/profile')
  await givePassword(page, email)
  await expect(page.getByRole('button', { name: 'Set up an app' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'I have kept them' })).toBeFocused()
  expect(await widthOf(page)).toBeLessThanOrEqual(390)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeVisible()
  await expect(card(page, 'Passkeys').getByRole('listitem')).toHaveCount(1)
  await expect(card(page, 'Passkeys').getByRole('button', { name: 'Remove' })).toBeHidden()
  await context.close()
})

test('at another address than that of the settings the console says where passkeys are taken', async ({
  api,
  server,
  browser,
}) => {
  const { email } = await newAccount(server.url, await api('admin'))
  const context = await browser.newContext({ ...phone, baseURL: `http://127.0.0.1:${port}` })
  const page = await context.newPage()
  const methods = page.waitForResponse('**/api/auth/methods')
  await page.goto('/login?to=/profile')
  await methods
  await givePassword(page, email)
  await expect(card(page, 'Passkeys')).toContainText(`Passkeys work only at ${url}.`)
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toBeHidden()
  await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByLabel('E-mail')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeHidden()
  await context.close()
})

// The last one: it puts the clock of the server ahead.
test('a change of role and a removal are confirmed by a passkey after a while', async ({ page, api, server, clock, calls }) => {
  const admin = await api('admin')
  const { user } = await newAccount(server.url, admin, 'admin')
  const other = await newUser(admin, 'installer')
  await signInPage(page, user)
  const device = await VirtualDevice.in(page)
  await addFirst(page, words.en, 'Office laptop')
  await page.goto(`/user/${other.id}/edit`)
  await choose(page, 'Role', 'Moderator')
  await clock.pass(6)
  await page.getByRole('button', { name: 'Save' }).click()
  const asked = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await expect(asked.getByRole('button', { name: 'Use a passkey' })).toBeFocused()
  expect(await seriousFaults(page)).toEqual([])
  await device.recognises(false)
  await page.keyboard.press('Enter')
  await expect(asked.getByRole('alert')).toContainText('No passkey was used')
  await device.recognises(true)
  await page.keyboard.press('Enter')
  await expect(notice(page, 'Saved')).toBeVisible()
  expect(await admin.get(`user/${other.id}`)).toMatchObject({ role: 'moderator' })
  expect(calls.filter((call) => call === 'PUT /api/auth/confirm/passkey')).toHaveLength(1)

  await page.goto('/profile')
  await press(page, 'Remove')
  await dialog(page).getByRole('button', { name: 'Remove' }).click()
  await expect(notice(page, 'The passkey is removed')).toBeVisible()
  await expect(card(page, 'Passkeys')).toContainText('No passkey yet')
})
