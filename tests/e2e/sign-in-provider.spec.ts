import type { Page } from '@playwright/test'
import { clientOfConsole, OidcProvider } from '#tests/support/oidc-provider.ts'
import { freePort } from '#tests/support/ports.ts'
import { seriousFaults } from './support/axe.ts'
import { test as clocked } from './support/clocked-console.ts'
import { expect } from './support/console.ts'
import { dialog } from './support/form.ts'
import { startFleet } from './support/live-server.ts'
import { newUser } from './support/records.ts'

const port = await freePort()
const url = `http://127.0.0.1:${port}`
const minutesLater = 6

/** Confirmations grow old before tokens do, so that a jump of the server's clock ends no session. */
const test = clocked.extend<object, { provider: OidcProvider }>({
  provider: [
    async ({ browserName }, use) => {
      const provider = await OidcProvider.start(`${url}/login/provider`, browserName !== 'chromium')
      await use(provider)
      await provider.down()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  server: [
    async ({ clock, provider }, use) => {
      const settings = {
        PORT: String(port),
        PUBLIC_URL: url,
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: clientOfConsole.id,
        OIDC_CLIENT_SECRET: clientOfConsole.secret,
        OIDC_LABEL: 'Example ID',
        CONFIRM_AFTER_MIN: '5',
      }
      const server = await startFleet({ env: { ...clock.env, ...settings } })
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

/** A person who was invited and has no password, and the account at the provider. */
async function invited(admin: Parameters<typeof newUser>[0], provider: OidcProvider, verified = true): Promise<string> {
  const { email } = await newUser(admin, 'installer')
  provider.account = String(email)
  provider.accounts.set(String(email), { email: String(email), email_verified: verified })
  return String(email)
}

async function signIn(page: Page, to: string): Promise<void> {
  await page.goto(`/login?to=${to}`)
  const button = page.getByRole('button', { name: 'Sign in with Example ID' })
  await expect(button).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await button.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Sign in at the provider' }).click()
}

test('an invited person signs in with the button of the provider, and comes to the page that was wanted', async ({
  page,
  api,
  provider,
  complaints,
}) => {
  complaints.allow(/a foreign host is called/, /favicon/)
  await page.setViewportSize({ width: 390, height: 800 })
  await invited(await api('admin'), provider)
  await signIn(page, '/profile')
  await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeVisible()
  expect(page.url()).toBe(`${url}/profile`)
  await page.goBack()
  expect(page.url()).not.toContain('code=')
})

test('a refused person reads why, and comes back to the sign-in page', async ({ page, api, provider, complaints }) => {
  complaints.allow(/a foreign host is called/, /favicon/)
  await page.setViewportSize({ width: 390, height: 800 })
  await invited(await api('admin'), provider, false)
  await signIn(page, '/profile')
  await expect(page.getByRole('alert')).toContainText('The sign-in provider has not verified your e-mail address')
  expect(await seriousFaults(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  expect(page.url()).toBe(`${url}/login/provider`)
  await page.getByRole('button', { name: 'Back to sign-in' }).click()
  await expect(page.getByLabel('E-mail')).toBeVisible()
})

// The last one: it puts the clock of the server ahead.
test('a person without a password confirms at the provider in a window beside, and goes on', async ({
  page,
  api,
  provider,
  clock,
  complaints,
}) => {
  complaints.allow(/a foreign host is called/, /favicon/)
  await invited(await api('admin'), provider)
  await signIn(page, '/profile')
  await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeVisible()
  await clock.pass(minutesLater)
  provider.forge = (payload) => ({ ...payload, auth_time: Number(payload.auth_time) + minutesLater * 60 })
  await page.getByRole('button', { name: 'Set up an app' }).click()
  const asked = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await expect(asked.getByRole('button', { name: 'Sign in again' })).toBeFocused()
  const opened = page.context().waitForEvent('page')
  await page.keyboard.press('Enter')
  const beside = await opened
  await beside.getByRole('button', { name: 'Sign in at the provider' }).click()
  await expect(dialog(page).getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  await expect(asked).toBeHidden()
})
