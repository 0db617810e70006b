import type { Page } from '@playwright/test'
import { wholeBrowser } from '#tests/support/chromium.ts'
import { ApiUser, accounts } from './support/api-user.ts'
import { expect, signInPage, test } from './support/console.ts'
import { systemNotes, untilNoPageIsOpen } from './support/fake-push.ts'

test.use({ serviceWorkers: 'allow', launchOptions: wholeBrowser })

const asking = 'Please, allow receive notifications'
const toast = (page: Page) => page.locator('.ant-notification-notice')
const pushIdOf = (page: Page) => page.evaluate(() => localStorage.getItem('ess-console.push-id'))

async function signOut(page: Page) {
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login/)
}

test('the banner asks until the permission is given, follows it, and says why it can not be had', async ({ as, context }) => {
  const page = await as('client')
  await expect(page.getByText(asking)).toBeVisible()
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(toast(page)).toContainText('Oops! Error')
  await expect(toast(page)).toContainText('The notification permission was not granted and blocked instead.')
  await expect(page.getByText(asking)).toBeVisible()
  await context.grantPermissions(['notifications'])
  await expect(page.getByText(asking)).toBeHidden()
  await context.clearPermissions()
  await expect(page.getByText(asking)).toBeVisible()
})

test('the banner stands on no public page and stays closed for as long as the tab is open', async ({ as, page }) => {
  await page.goto('/login')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByText(asking)).toBeHidden()
  await as('client')
  await page.getByRole('status').filter({ hasText: asking }).getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByText(asking)).toBeHidden()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText(asking)).toBeHidden()
  await page.goto('/about')
  await expect(page.getByText(asking)).toBeHidden()
})

test.describe('with the permission', () => {
  test.use({ permissions: ['notifications'] })

  test('the browser is registered once, and signing out gives it up', async ({ as, server, page, calls }) => {
    const bodies: unknown[] = []
    page.on('request', (request) => {
      if (/api\/(device|auth\/logout)$/.test(request.url()) && request.method() === 'POST') bodies.push(request.postDataJSON())
    })
    const device = page.waitForResponse((answer) => answer.url().endsWith('/api/device'))
    await as('moderator')
    expect((await device).status()).toBe(201)
    const pushId = await pushIdOf(page)
    expect(bodies).toEqual([{ isDebug: false, platform: 'web', pushId }])

    const stream = page.waitForRequest((request) => request.url().includes('/api/events?'))
    await page.reload()
    await stream
    await page.waitForTimeout(500)
    expect(calls.filter((call) => call === 'POST /api/device')).toHaveLength(1)

    await signOut(page)
    expect(bodies.at(-1)).toEqual({ pushId })
    expect(await pushIdOf(page)).toBeNull()
    const again = await ApiUser.signIn(server.url, accounts.moderator)
    expect(await again.get('device')).toEqual([])
  })

  test('a test goes to this browser, is shown for five seconds, and its link opens a page', async ({ as, page }) => {
    const device = page.waitForResponse((answer) => answer.url().endsWith('/api/device'))
    await as('admin', '/ess')
    await device
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Profile' }).click()
    const own = page.locator('.ui-card', { has: page.getByRole('heading', { name: 'Devices for notifications' }) })
    await expect(own.getByText('This browser')).toBeVisible()
    await expect(own).toContainText('while a page of the console is open')
    await own.getByRole('button', { name: 'Send a test' }).click()
    const note = toast(page).filter({ hasText: 'Test notification' })
    await expect(note).toContainText('Notifications reach this device.')
    const seen = Date.now()
    await page.waitForTimeout(4_000)
    await expect(note).toBeVisible()
    await expect(note).toBeHidden()
    expect(Date.now() - seen).toBeLessThan(9_000)

    await page.goto('/ess')
    await page.waitForRequest((request) => request.url().includes('/api/events?'))
    const { id } = await page.evaluate(() => JSON.parse(localStorage.getItem('ess-console.device') ?? '{}'))
    const token = await page.evaluate(
      () => JSON.parse(localStorage.getItem('ess-console.session') ?? '{}').session.accessToken as string,
    )
    await page.request.post(`/api/device/${id}/test`, { headers: { authorization: `Bearer ${token}` } })
    await note.getByRole('button', { name: 'Open' }).click()
    await expect(page).toHaveURL(/\/profile$/)

    await own.getByRole('button', { name: 'Remove' }).click()
    await expect(own).toContainText('No device gets notifications')
  })

  test('what nobody can see is shown by the system, and a click never leads to another site', async ({ as, context, page }) => {
    const device = page.waitForResponse((answer) => answer.url().endsWith('/api/device'))
    await as('moderator')
    await device
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
    await context.newPage()
    await page.close()
    await untilNoPageIsOpen(context)
    const permission = await worker.evaluate(async () => {
      const note = { id: 'n1', title: 'Seen by the system', body: 'Text', link: '/ess' }
      const work: Promise<unknown>[] = []
      const waitUntil = (each: Promise<unknown>) => work.push(each)
      dispatchEvent(Object.assign(new Event('message'), { data: { kind: 'note', note }, waitUntil }))
      await Promise.all(work)
      return Notification.permission
    })
    expect(permission).toBe('granted')
    await expect.poll(() => systemNotes(context)).toEqual(['Seen by the system'])

    const opened = await worker.evaluate(async () => {
      const scope = globalThis as typeof globalThis & { registration: ServiceWorkerRegistration; clients: object }
      const asked: string[] = []
      const work: Promise<unknown>[] = []
      Object.assign(scope.clients, { openWindow: async (path: string) => asked.push(path), matchAll: async () => [] })
      const click = (link: string) => {
        const notification = { data: { note: { id: 'n', title: 't', link } }, close: () => undefined }
        const waitUntil = (each: Promise<unknown>) => work.push(each)
        dispatchEvent(Object.assign(new Event('notificationclick'), { notification, waitUntil }))
      }
      for (const link of ['/ess/7', 'https://evil.example/', '//evil.example', 'javascript:alert(1)']) click(link)
      await Promise.all(work)
      return asked
    })
    expect(opened).toEqual(['/ess/7', '/', '/', '/'])
  })
})

test('a session can be ended from another one: it is signed out at once', async ({ as, browser, server }) => {
  const page = await as('service_engineer', '/profile')
  const other = await browser.newContext({ baseURL: server.url, serviceWorkers: 'block' })
  const elsewhere = await other.newPage()
  await signInPage(elsewhere, await ApiUser.signIn(server.url, accounts.service_engineer))
  await Promise.all([elsewhere.waitForResponse((answer) => answer.url().includes('/api/events?')), elsewhere.goto('/ess')])

  await page.reload()
  const sessions = page.locator('.ui-card', { has: page.getByRole('heading', { name: 'Sessions' }) })
  await expect(sessions.getByText('This one')).toHaveCount(1)
  const buttons = sessions.getByRole('button', { name: 'End the session' })
  const count = await buttons.count()
  expect(count).toBeGreaterThan(0)
  for (let left = count; left > 0; left -= 1) {
    await buttons.first().click()
    await expect(buttons).toHaveCount(left - 1)
  }
  await expect(elsewhere).toHaveURL(/\/login/)
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible()
  await other.close()
})
