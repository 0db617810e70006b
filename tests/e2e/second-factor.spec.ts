import type { Page } from '@playwright/test'
import { Authenticator } from '#tests/support/authenticator.ts'
import { accountPassword, newAccount } from './support/accounts.ts'
import { ApiUser } from './support/api-user.ts'
import { seriousFaults } from './support/axe.ts'
import { test as clocked } from './support/clocked-console.ts'
import { expect, signInPage } from './support/console.ts'
import { dialog, notice, text } from './support/form.ts'
import { startFleet } from './support/live-server.ts'

/** Confirmations grow old before tokens do, so that a jump of the server's clock ends no session. */
const test = clocked.extend({
  server: [
    async ({ clock }, use) => {
      const server = await startFleet({ env: { ...clock.env, CONFIRM_AFTER_MIN: '5', REQUIRE_SECOND_FACTOR: 'installer' } })
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

const card = (page: Page) =>
  page.locator('.ui-card', { has: page.getByRole('heading', { name: 'Second factor', exact: true }) })
const code = (page: Page) => page.getByLabel('Code of your authenticator app')

/** Sets an app up in the profile; answers it and the recovery codes. */
async function setUp(page: Page): Promise<{ app: Authenticator; recoveryCodes: string[] }> {
  await page.goto('/profile')
  await card(page).getByRole('button', { name: 'Set up an app' }).click()
  await expect(dialog(page).getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  const app = new Authenticator(await dialog(page).getByLabel('Key').inputValue())
  await code(page).fill('000000')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('alert')).toContainText('This code is wrong')
  await code(page).fill(app.codeAt(Date.now()))
  await page.keyboard.press('Enter')
  const recoveryCodes = (await dialog(page).getByLabel('Recovery codes').inputValue()).split('\n')
  // A secret that is not shown again does not go by a key.
  await page.keyboard.press('Escape')
  await expect(dialog(page).getByText('Keep them, then press')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'I have kept them' }).click()
  await expect(card(page)).toContainText('Recovery codes left: 10')
  return { app, recoveryCodes }
}

const password = async (page: Page, email: string) => {
  await expect(page.getByLabel('E-mail')).toBeFocused()
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(accountPassword)
  await page.keyboard.press('Enter')
}

test('a second factor is set up in the profile, and on a phone signs in by keyboard alone', async ({
  page,
  api,
  server,
  browser,
}) => {
  const { user, email } = await newAccount(server.url, await api('admin'))
  await signInPage(page, user)
  const { app, recoveryCodes } = await setUp(page)
  expect(recoveryCodes).toHaveLength(10)

  const phone = await browser.newContext({ viewport: { width: 390, height: 800 }, baseURL: server.url })
  const small = await phone.newPage()
  await small.goto('/login')
  await password(small, email)
  await expect(code(small)).toBeFocused()
  await small.keyboard.type('000000')
  await small.keyboard.press('Enter')
  await expect(small.getByRole('alert')).toContainText('This code is wrong')
  expect(await small.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await code(small).fill('')
  await small.keyboard.type(app.codeAt(Date.now(), 1))
  await small.keyboard.press('Enter')
  await expect(small.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  await phone.close()
})

test('a recovery code signs in once, and the password is asked for again after it was used', async ({
  page,
  api,
  server,
  browser,
}) => {
  const { user, email } = await newAccount(server.url, await api('admin'))
  await signInPage(page, user)
  const [recovery = ''] = (await setUp(page)).recoveryCodes
  const signIn = async () => {
    const other = await (await browser.newContext({ baseURL: server.url })).newPage()
    await other.goto('/login')
    await password(other, email)
    await other.getByRole('button', { name: 'Use a recovery code' }).click()
    await other.getByLabel('Recovery code', { exact: true }).fill(recovery)
    await other.keyboard.press('Enter')
    return other
  }
  const first = await signIn()
  await expect(first.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  await first.context().close()
  const second = await signIn()
  await expect(second.getByRole('alert')).toContainText('This code is wrong or was used already')
  await second.getByRole('button', { name: 'Back to the password' }).click()
  await expect(second.getByLabel('E-mail')).toBeVisible()
  await second.context().close()
})

test('an admin resets it for a person who has lost the phone, and says why', async ({ page, api, server }) => {
  const admin = await api('admin')
  const { user, id, email } = await newAccount(server.url, admin)
  await signInPage(page, user)
  await setUp(page)
  const own = await page.context().browser()?.newContext({ baseURL: server.url })
  const desk = await own?.newPage()
  if (!desk) throw new Error('the browser opens no page')
  await signInPage(desk, admin)
  await desk.goto(`/user/${id}`)
  await desk.getByRole('button', { name: 'Reset the second factor' }).click()
  await text(dialog(desk), 'Reason').fill('The phone was lost')
  await dialog(desk).getByRole('button', { name: 'Reset the second factor' }).click()
  await expect(notice(desk, 'The second factor is reset')).toBeVisible()
  await own?.close()
  expect((await user.call('GET', 'auth/me')).status).toBe(401)
  expect((await ApiUser.signIn(server.url, email, accountPassword)).token).toBeTruthy()
})

test('a role that needs one sets it up at sign-in on a phone, before it sees anything else', async ({
  api,
  server,
  browser,
}) => {
  const { email } = await newAccount(server.url, await api('admin'), 'installer')
  const phone = await browser.newContext({ viewport: { width: 390, height: 800 }, baseURL: server.url })
  const page = await phone.newPage()
  await page.goto('/login?to=/profile')
  await password(page, email)
  await expect(page.getByRole('button', { name: 'Set up an app' })).toBeFocused()
  expect(await page.evaluate(() => localStorage.getItem('ess-console.session') ?? '')).not.toContain('accessToken"')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  expect(await seriousFaults(page)).toEqual([])
  const app = new Authenticator(await page.getByLabel('Key').inputValue())
  await expect(code(page)).toBeFocused()
  await page.keyboard.type(app.codeAt(Date.now()))
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Recovery codes')).toHaveValue(/^([a-z2-7]{4}-){3}[a-z2-7]{4}\n/)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await expect(page.getByRole('button', { name: 'I have kept them' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeVisible()
  await expect(card(page)).toContainText('Your role signs in with a second factor only.')
  await expect(card(page).getByRole('button', { name: 'Remove' })).toBeHidden()
  await phone.close()
})

// The last one: it puts the clock of the server ahead.
test('it is removed by a person who confirms with a code after a while', async ({ page, api, server, clock }) => {
  const { user } = await newAccount(server.url, await api('admin'))
  await signInPage(page, user)
  const { app } = await setUp(page)
  await clock.pass(6)
  await card(page).getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  const asked = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await expect(code(page)).toBeFocused()
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await expect(asked.getByRole('alert')).toContainText('This code is wrong')
  await code(page).fill(app.codeAt(Date.now() + 6 * 60_000))
  await page.keyboard.press('Enter')
  await expect(notice(page, 'The second factor is removed')).toBeVisible()
  await expect(card(page).getByRole('button', { name: 'Set up an app' })).toBeVisible()
})
