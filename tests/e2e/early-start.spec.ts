import type { Page } from '@playwright/test'
import { expect, test } from './support/console.ts'
import { hold, holdConsole } from './support/hold.ts'

const list = 'GET /api/ess?_start=0&_end=25&_sort=attention&_order=asc'

test('the first data and every script of an address are asked for by the document, once', async ({ as, calls }) => {
  const page = await as('admin', '/about')
  const release = await holdConsole(page)
  calls.length = 0
  await page.goto('/ess', { waitUntil: 'commit' })
  await expect.poll(() => calls).toEqual(expect.arrayContaining(['GET /api/auth/me', list]))
  await expect(page.locator('#frame')).toBeVisible()
  const preloaded = await page
    .locator('link[rel=modulepreload]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')?.replace(/^\/assets\/(\w+)-.*/, '$1')))
  expect(preloaded).toEqual(expect.arrayContaining(['console', 'list']))
  release()
  await expect(page.getByRole('row', { name: /ESS-/ }).first()).toBeVisible()
  await expect(page.locator('#frame')).toBeHidden()
  const first = calls.filter((call) => call === 'GET /api/auth/me')
  expect(first).toHaveLength(1)
})

// Models, since the systems of a silent fleet change two minutes after the start of their server, and are read again for it.
test('a list is read once, although the event stream of the session begins after it', async ({ as, calls }) => {
  const page = await as('admin', '/about')
  calls.length = 0
  await page.goto('/ess-model')
  await expect.poll(() => calls).toContain('GET /api/events?mostPerS=50')
  await page.waitForTimeout(2_000)
  expect(calls.filter((call) => call.startsWith('GET /api/ess-model?'))).toHaveLength(1)
})

test('a list is on screen before the HTTP client has come, which the next call waits for', async ({ as, complaints }) => {
  complaints.allow(/ERR_FAILED/)
  const page = await as('admin', '/about')
  let isHeld = true
  await page.route('**/assets/record-*.js', (route) => (isHeld ? route.abort() : route.continue()))
  await page.goto('/ess')
  await expect(page.getByRole('row', { name: /ESS-/ }).first()).toBeVisible()
  await page.getByRole('searchbox').first().fill('no such system')
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  isHeld = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Nothing matches')).toBeVisible()
})

test('the theme of this device is there before the scripts are', async ({ as }) => {
  const page = await as('admin', '/about')
  await page.evaluate(() => localStorage.setItem('theme', 'dark'))
  const release = await holdConsole(page)
  await page.goto('/ess', { waitUntil: 'commit' })
  await expect(page.locator('#frame')).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  release()
  await expect(page.getByRole('navigation', { name: 'Main menu' })).toBeVisible()
})

test('a visitor sees no frame, and the document asks for nothing', async ({ page, calls }) => {
  await page.goto('/ess')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(page.locator('#frame')).toBeHidden()
  expect(calls).toEqual([])
})

test('the document asks for no list that the role may not see', async ({ as, calls }) => {
  const page = await as('client', '/ess')
  await expect(page.getByRole('heading', { name: /403/, level: 1 })).toBeVisible()
  expect(calls.filter((call) => call.startsWith('GET /api/ess'))).toEqual([])
})

/** Keeps in the page each stand-in for data that the console puts on screen. */
const keepSkeletons = (page: Page) =>
  page.addInitScript(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
        if (node instanceof Element && node.closest('#root') && node.querySelector('.ui-skeleton')) seen.push(node.outerHTML)
    }).observe(document, { childList: true, subtree: true })
  })
const skeletons = (page: Page) => page.evaluate(() => Reflect.get(window, 'seen'))

for (const { path, ready } of [
  { path: '/ess', ready: (page: Page) => page.getByRole('row', { name: /ESS-/ }).first() },
  { path: '/ess?_page=2&lifecycle=IN_OPERATION', ready: (page: Page) => page.getByRole('row', { name: /ESS-/ }).first() },
  { path: '/', ready: (page: Page) => page.getByRole('heading', { name: 'ESS: Connection' }) },
])
  test(`the first page ${path} is drawn in one piece, with its data`, async ({ as, page: own }) => {
    await keepSkeletons(own)
    const page = await as('admin', '/about')
    const release = await holdConsole(page)
    const data = page.waitForResponse((response) => /\/api\/(?:ess|dashboard)/.test(response.url()))
    await page.goto(path, { waitUntil: 'commit' })
    if (!path.includes('?')) await data
    release()
    await expect(ready(page)).toBeVisible()
    expect(await skeletons(page)).toEqual([])
  })

test('the first page of a fleet with measurements is drawn in one piece, the chart of their hours with it', async ({
  as,
  page: own,
}) => {
  const hourMs = 3_600_000
  const lastMs = Math.floor(Date.now() / hourMs) * hourMs - hourMs
  const powers = { pvPowerW: 900, loadPowerW: 700, batteryPowerW: -200, gridPowerW: 0 }
  const measured = { pvPowerW: 3, loadPowerW: 3, batteryPowerW: 3, gridPowerW: 3 }
  const power = [2, 1, 0].map((ago) => ({ at: lastMs - ago * hourMs, systems: 3, ...powers, measured }))
  await own.route('**/api/dashboard/summary?*', async (route) => {
    const response = await route.fetch()
    const summary = await response.json()
    await route.fulfill({ response, json: { ...summary, charts: { ...summary.charts, power } } })
  })
  await keepSkeletons(own)
  const page = await as('admin', '/about')
  const release = await holdConsole(page)
  const parts = [/\/api\/dashboard/, /\/assets\/power-lines-/, /\/assets\/time-chart-/].map((url) => page.waitForResponse(url))
  await page.goto('/', { waitUntil: 'commit' })
  await Promise.all(parts)
  release()
  await expect(page.locator('.dash-power canvas')).toBeVisible()
  expect(await skeletons(page)).toEqual([])
})

test('the first page of a client is drawn in one piece, with his sites', async ({ as, page: own }) => {
  await keepSkeletons(own)
  const page = await as('client', '/about')
  const release = await holdConsole(page)
  const parts = [/\/api\/dashboard/, /\/assets\/client-view-/].map((url) => page.waitForResponse(url))
  await page.goto('/', { waitUntil: 'commit' })
  await Promise.all(parts)
  release()
  await expect(page.getByRole('main').locator('.ui-card').first()).toBeVisible()
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
  expect(await skeletons(page)).toEqual([])
})

test('a record that is opened by its address is drawn in one piece, with its data', async ({ as, api, page: own }) => {
  const { id, model } = await (await api('admin')).first('ess-model?_end=1')
  await keepSkeletons(own)
  const page = await as('admin', `/ess-model/${id}`)
  await expect(page.getByRole('heading', { name: String(model), level: 1 })).toBeVisible()
  expect(await skeletons(page)).toEqual([])
})

test('a page whose data is late is drawn without it', async ({ as, page: own }) => {
  const answer = await hold(own, '**/api/ess?*')
  const page = await as('admin', '/ess')
  await expect(page.getByRole('navigation', { name: 'Main menu' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'ESS', level: 1 })).toBeVisible()
  answer()
  await expect(page.getByRole('row', { name: /ESS-/ }).first()).toBeVisible()
})

test('a first page that fails says so and can be asked for again', async ({ as, page: own, complaints }) => {
  complaints.allow(/Failed to load resource/)
  let isDown = true
  await own.route('**/api/ess?*', (route) => (isDown ? route.abort() : route.continue()))
  const page = await as('admin', '/ess')
  await expect(page.getByRole('button', { name: /again/i })).toBeVisible({ timeout: 30_000 })
  isDown = false
  await page.getByRole('button', { name: /again/i }).click()
  await expect(page.getByRole('row', { name: /ESS-/ }).first()).toBeVisible()
})
