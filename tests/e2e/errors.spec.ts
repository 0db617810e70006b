import type { Page } from '@playwright/test'
import { expect, test } from './support/console.ts'
import { notice, text } from './support/form.ts'
import { newEss } from './support/records.ts'

const oops = (page: Page) => notice(page, 'Oops! Error')
const isSignedIn = (page: Page) =>
  page.evaluate(() => localStorage.getItem('ess-console.session')?.includes('accessToken') ?? false)

const problem = (statusCode: number, message: string | string[]) => ({
  status: statusCode,
  json: { statusCode, error: 'Error', message, code: 'test' },
})

/** Failures of the ESS list, and the message that a person reads. */
const failures = [
  { name: 'a 500', answer: problem(500, 'The server has a problem of its own'), says: 'The server has a problem of its own' },
  { name: 'a 429', answer: problem(429, 'Too many requests'), says: 'Too many requests' },
  {
    name: 'a page of HTML with status 200',
    answer: { contentType: 'text/html', body: '<h1>Proxy</h1>' },
    says: /could not be read/,
  },
  {
    name: 'a page of HTML with status 502',
    answer: { status: 502, contentType: 'text/html', body: '<h1>Bad</h1>' },
    says: /not available/,
  },
  { name: 'JSON that is cut off', answer: { contentType: 'application/json', body: '[{"id":"1"' }, says: /could not be read/ },
]

for (const { name, answer, says } of failures) {
  test(`${name} is said once, with a way on; nobody is signed out`, async ({ as, page: own, complaints }) => {
    complaints.allow(/Failed to load resource/)
    // Only what is asked for after the press gets through: the page may ask again by itself before it.
    await own.addInitScript(() => addEventListener('click', () => Object.assign(window, { isPressed: true }), true))
    const isPressed = () => own.evaluate(() => 'isPressed' in window)
    await own.route('**/api/ess?**', async (route) => ((await isPressed()) ? route.fallback() : route.fulfill(answer)))
    const page = await as('admin', '/ess?sort=code')
    await expect(page.getByRole('main').getByRole('alert')).toContainText('The data could not be loaded', {
      timeout: 20_000,
    })
    await expect(page.getByRole('main').getByRole('alert')).toContainText(says)
    await expect(oops(page)).toHaveCount(1)
    await expect(oops(page)).toContainText(says)
    await expect(page.getByRole('navigation', { name: 'Main menu' })).toBeVisible()
    expect(await isSignedIn(page)).toBe(true)
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('link', { name: 'ESS-000001' })).toBeVisible()
  })
}

for (const { name, answer, says } of [
  {
    name: 'a page of HTML with status 502',
    answer: { status: 502, contentType: 'text/html', body: '<h1>Bad</h1>' },
    says: /not available/,
  },
  { name: 'a 429', answer: problem(429, 'Too many requests'), says: 'Too many requests' },
])
  test(`${name} for the rights of a person is said with a way on, and not asked for without end`, async ({
    as,
    page: own,
    complaints,
    calls,
  }) => {
    complaints.allow(/Failed to load resource|HttpProblem/)
    await as('admin', '/ess?sort=code')
    await expect(own.getByRole('link', { name: 'ESS-000001' })).toBeVisible()
    await own.route('**/api/auth/me*', (route) => route.fulfill(answer))
    const before = calls.length
    await own.reload()
    await expect(own.getByRole('alert')).toContainText(says)
    await own.waitForTimeout(3_000)
    expect(calls.slice(before).filter((call) => call.includes('/auth/me')).length).toBeLessThanOrEqual(4)
    await own.unroute('**/api/auth/me*')
    await own.getByRole('button', { name: 'Refresh' }).click()
    await expect(own.getByRole('link', { name: 'ESS-000001' })).toBeVisible()
  })

test('a page that a translation by the browser has changed says so, and is not offered to one', async ({
  as,
  page: own,
  complaints,
}) => {
  complaints.allow(/NotFoundError|removeChild|insertBefore/)
  const page = await as('admin', '/ess?sort=code')
  const first = page.getByRole('link', { name: 'ESS-000001' })
  await expect(first).toBeVisible()
  expect(await own.evaluate(() => document.documentElement.translate)).toBe(false)
  await own.evaluate(() => {
    const wrap = (root: Node) => {
      const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      const found: Text[] = []
      while (texts.nextNode()) found.push(texts.currentNode as Text)
      for (const text of found.filter(({ parentElement }) => parentElement?.tagName !== 'FONT')) {
        const font = document.createElement('font')
        text.replaceWith(font)
        font.append(text.data)
      }
    }
    wrap(document.body)
    const watcher = new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) if (node.isConnected) wrap(node.parentNode ?? node)
    })
    watcher.observe(document.body, { subtree: true, childList: true })
  })
  await first.click()
  await expect(own.getByRole('alert')).toContainText('a translation by the browser')
})

test('a connection that breaks is tried again by itself, and nobody hears of it twice', async ({
  as,
  page: own,
  complaints,
  calls,
}) => {
  complaints.allow(/ERR_CONNECTION_RESET/)
  let failed = 0
  await own.route('**/api/ess?**', (route) => {
    failed += 1
    return failed === 1 ? route.abort('connectionreset') : route.fallback()
  })
  const page = await as('admin', '/ess?sort=code')
  await expect(page.getByRole('link', { name: 'ESS-000001' })).toBeVisible()
  expect(await oops(page).count()).toBeLessThanOrEqual(1)
  expect(calls.filter((call) => call.startsWith('GET /api/ess?')).length).toBeGreaterThanOrEqual(2)
  expect(await isSignedIn(page)).toBe(true)
})

test('a list of messages is read as one sentence, as text and never as markup', async ({ as, page: own }) => {
  await own.route('**/api/ess?**', (route) => route.fulfill(problem(400, ['First <b>thing</b>', 'Second', 'Third'])))
  const page = await as('admin', '/ess')
  await expect(oops(page)).toContainText('First <b>thing</b>; Second; Third')
  await expect(oops(page)).toHaveCount(1)
})

test('a write that fails is sent once, and said once beside the form that keeps everything', async ({
  as,
  api,
  page: own,
  complaints,
  calls,
}) => {
  complaints.allow(/Failed to load resource/)
  const ess = await newEss(await api('admin'))
  await own.route(`**/api/ess/${ess.id}`, (route) =>
    route.request().method() === 'PUT' ? route.fulfill(problem(500, 'The disk is full')) : route.fallback(),
  )
  const page = await as('admin', `/ess/${ess.id}/edit`)
  await text(page, 'Name').fill('Kept')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(oops(page)).toHaveCount(1)
  await expect(oops(page)).toContainText('The disk is full')
  await expect(page.getByRole('main').getByRole('alert')).toContainText('The disk is full')
  await expect(text(page, 'Name')).toHaveValue('Kept')
  await page.waitForTimeout(1_500)
  expect(calls.filter((call) => call.startsWith('PUT '))).toHaveLength(1)
  await expect(oops(page)).toHaveCount(1)
})

test('a record that cannot be loaded leaves an error screen with a button that loads it again', async ({
  as,
  api,
  page: own,
  complaints,
}) => {
  complaints.allow(/Failed to load resource/)
  const ess = await newEss(await api('admin'))
  let isDown = true
  await own.route(`**/api/ess/${ess.id}`, (route) =>
    isDown ? route.fulfill(problem(500, 'Сервер не отвечает')) : route.fallback(),
  )
  await own.addInitScript(() => localStorage.setItem('ess-console.language', 'ru'))
  const page = await as('admin', `/ess/${ess.id}`)
  const screen = page.getByRole('main').getByRole('alert')
  await expect(screen.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(screen).toContainText('Сервер не отвечает')
  await expect(notice(page, 'Ой! Ошибка')).toHaveCount(1)
  isDown = false
  await screen.getByRole('button', { name: 'Обновить страницу' }).click()
  await expect(page.getByRole('heading', { name: String(ess.code), level: 1 })).toBeVisible()
})

test('a session that ends on the server leads to the sign-in page by itself, and remembers where one was', async ({
  as,
  api,
}) => {
  const page = await as('admin', '/ess?connection=OFFLINE')
  await expect(page.getByRole('searchbox')).toBeVisible()
  await (await api('admin')).send('POST', 'auth/logout', {})
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await expect(page).toHaveURL(/\/login\?to=/, { timeout: 20_000 })
  expect(new URL(page.url()).searchParams.get('to')).toBe('/ess?connection=OFFLINE')
  await expect(page.getByText('Your session has ended. Please sign in again')).toHaveCount(1)
  await expect(page.getByText('Oops! Error')).toHaveCount(1)
  await expect(page.getByRole('navigation', { name: 'Main menu' })).toBeHidden()
})

test('a dialog whose code can not be loaded says so at once, and does not open by itself later', async ({
  as,
  page: own,
  complaints,
}) => {
  complaints.allow(/Failed to load resource|dynamically imported/)
  await own.route('**/assets/action-dialog-*', (route) => route.abort())
  const page = await as('admin', '/ess?sort=code')
  await page.getByRole('link', { name: 'ESS-000001' }).click()
  const setOwner = page.getByRole('button', { name: 'Set owner' })
  await setOwner.waitFor()
  await page.context().setOffline(true)
  await setOwner.click()
  await expect(notice(page, 'There is no connection to the server')).toBeVisible()
  await own.unroute('**/assets/action-dialog-*')
  await page.context().setOffline(false)
  await expect(page.getByText('You are offline')).toHaveCount(0)
  await page.waitForTimeout(1_000)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await setOwner.click()
  await expect(page.getByRole('dialog')).toBeVisible()
})

test('a server that does not answer is told across the page, with the time of what is shown, until it answers again', async ({
  as,
  page: own,
  complaints,
}) => {
  test.setTimeout(120_000)
  complaints.allow(/Failed to load resource/)
  const server = { isDown: false }
  await own.route('**/api/**', (route) =>
    server.isDown || route.request().url().includes('/api/events') ? route.abort() : route.fallback(),
  )
  const page = await as('admin', '/ess?sort=code')
  await expect(page.getByRole('link', { name: 'ESS-000001' })).toBeVisible()
  const banner = page.getByText(/The server does not answer\. What you see is as of .*\d:\d\d/)
  await expect(banner).toHaveCount(0)
  server.isDown = true
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Clients' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toContainText('The data could not be loaded', { timeout: 20_000 })
  await expect(banner).toBeVisible({ timeout: 60_000 })
  server.isDown = false
  await expect(banner).toHaveCount(0, { timeout: 60_000 })
  await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
  await expect(page.getByRole('main').getByRole('row').nth(1)).toBeVisible()
})
