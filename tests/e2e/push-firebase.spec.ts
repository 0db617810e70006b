import type { BrowserContext, Page } from '@playwright/test'
import { wholeBrowser } from '#tests/support/chromium.ts'
import { ApiUser, accounts } from './support/api-user.ts'
import { test as base, expect, signInPage } from './support/console.ts'
import { PushDelivery, playPushProvider, systemNotes, untilNoPageIsOpen } from './support/fake-push.ts'
import { startFirebaseConsole } from './support/firebase-console.ts'

const test = base.extend({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's form
    async ({}, use) => {
      const server = await startFirebaseConsole()
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})
test.use({ serviceWorkers: 'allow', permissions: ['notifications'], launchOptions: wholeBrowser })

const token = 'token-of-the-provider'
const toast = (page: Page) => page.locator('.ant-notification-notice')

/** Opens the console with a push provider that answers. */
async function open(page: Page, context: BrowserContext, url: string) {
  await playPushProvider(context, token)
  await signInPage(page, await ApiUser.signIn(url, accounts.moderator))
  const device = page.waitForResponse((answer) => answer.url().endsWith('/api/device'))
  await page.goto('/')
  return (await device).request().postDataJSON()
}

test('the browser is registered under the id that the provider gave', async ({ page, context, server, complaints }) => {
  complaints.allow(/googleapis\.com/)
  expect(await open(page, context, server.url)).toEqual({ isDebug: false, platform: 'web', pushId: token })
  expect(await page.evaluate(() => localStorage.getItem('ess-console.push-id'))).toBe(token)
})

test('a push is a toast of five seconds while the page is seen, and the system shows it when none is', async ({
  page,
  context,
  server,
  complaints,
}) => {
  complaints.allow(/googleapis\.com/)
  const observer = await context.newPage()
  const delivery = await PushDelivery.watch(context, observer)
  await open(page, context, server.url)
  const push = (title: string) =>
    delivery.send(server.url, {
      from: '1234567890',
      fcmMessageId: title,
      notification: { title, body: 'A board is silent' },
      data: { id: title, title, body: 'A board is silent', link: '/ess' },
      fcmOptions: { link: `${server.url}/ess` },
    })
  await push('Seen')
  await expect(toast(page)).toContainText('A board is silent')
  expect(await systemNotes(context)).toEqual([])
  await expect(toast(page)).toBeHidden({ timeout: 15_000 })

  await page.close()
  await untilNoPageIsOpen(context)
  // The debugging protocol drops a message while the worker is being stopped or started; a provider would try again.
  await expect(async () => {
    await push('Unseen')
    await expect.poll(async () => [...new Set(await systemNotes(context))], { timeout: 3_000 }).toEqual(['Unseen'])
  }).toPass()
})

const faults: { name: string; text: string; provoke: (page: Page) => Promise<unknown> }[] = [
  {
    name: 'unsupported browser',
    text: "This browser doesn't support the API's required to use the Firebase SDK. (messaging/unsupported-browser)",
    provoke: (page) => page.addInitScript(() => Reflect.deleteProperty(window, 'PushManager')),
  },
  {
    name: 'IndexedDB unsupported',
    text: '(messaging/indexed-db-unsupported)',
    provoke: (page) =>
      page.addInitScript(() => {
        IDBFactory.prototype.open = () => {
          throw new DOMException('', 'SecurityError')
        }
      }),
  },
  {
    name: 'invalid service worker registration',
    text: 'The input to useServiceWorker() must be a ServiceWorkerRegistration. (messaging/invalid-sw-registration)',
    provoke: (page) =>
      page.addInitScript(() => {
        Object.assign(ServiceWorkerContainer.prototype, { register: async () => ({}) })
      }),
  },
]

for (const { name, text, provoke } of faults) {
  test(`${name}: the provider's words are shown, once in a tab`, async ({ page, context, server, complaints }) => {
    complaints.allow(/googleapis\.com/)
    await playPushProvider(context, token)
    await provoke(page)
    await signInPage(page, await ApiUser.signIn(server.url, accounts.client))
    await page.goto('/')
    await expect(toast(page)).toContainText('Oops! Error')
    await expect(toast(page)).toContainText(text)
    await page.reload()
    await page.waitForRequest((request) => request.url().includes('/api/events?'))
    await expect(toast(page)).toBeHidden()
  })
}

test.describe('where notifications are blocked', () => {
  test.use({ permissions: [] })

  test('the provider is not even asked: its words are shown when the person asks', async ({ page, server }) => {
    await signInPage(page, await ApiUser.signIn(server.url, accounts.client))
    await page.goto('/')
    await page.getByRole('button', { name: 'Allow' }).click()
    await expect(toast(page)).toContainText('(messaging/permission-blocked)')
  })
})
