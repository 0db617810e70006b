import type { BrowserContext, Page } from '@playwright/test'
import { ApiUser, accounts } from './support/api-user.ts'
import { expect, test } from './support/console.ts'
import { demoPassword, type LiveServer, startFleet } from './support/live-server.ts'
import { type OwnBrowser, openOwnBrowser } from './support/own-browser.ts'

/** Short enough to see several renewals; the lead of 3 s leaves 5 s of quiet each time. */
const tokenTtlS = 8

let server: LiveServer
let browser: OwnBrowser

test.beforeAll(async () => {
  server = await startFleet({ env: { TOKEN_TTL_S: String(tokenTtlS) } })
})
test.afterAll(() => server.stop())
test.beforeEach(async () => {
  browser = await openOwnBrowser()
})
test.afterEach(() => browser.close())

/** A tab of the console that counts how often it was loaded; it lies behind the tab that is opened after it. */
async function openTab(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage()
  await page.addInitScript(() => {
    sessionStorage.setItem('loads', String(Number(sessionStorage.getItem('loads')) + 1))
  })
  await page.goto(server.url + path)
  return page
}

const loads = (page: Page) => page.evaluate(() => Number(sessionStorage.getItem('loads')))
const isFocused = (page: Page) => page.evaluate(() => document.hasFocus())
const token = (page: Page) =>
  page.evaluate(
    () => JSON.parse(localStorage.getItem('ess-console.session') ?? '{}').session?.accessToken as string | undefined,
  )
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

async function signIn(page: Page, email = accounts.moderator) {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

function countRefreshes(context: BrowserContext): string[] {
  const seen: string[] = []
  context.on('request', (request) => {
    if (request.url().endsWith('/api/auth/refresh')) seen.push(request.headers().authorization ?? '')
  })
  return seen
}

test('a tab in the background takes a sign-in by one reload, and a sign-out in place', async () => {
  const { context } = browser
  const back = await openTab(context, '/login?to=/ess')
  await expect(heading(back, 'Sign in')).toBeVisible()
  const front = await openTab(context, '/login')
  await front.bringToFront()
  await expect.poll(() => isFocused(front)).toBe(true)
  expect(await isFocused(back)).toBe(false)
  await signIn(front)
  await expect(heading(front, 'Dashboard')).toBeVisible()
  await expect(heading(back, 'ESS')).toBeVisible()
  expect([await loads(front), await loads(back)]).toEqual([1, 2])
  expect(await token(back)).toBe(await token(front))

  await front.getByRole('button', { name: /^Account/ }).click()
  await front.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(heading(front, 'Sign in')).toBeVisible()
  await expect(heading(back, 'Sign in')).toBeVisible()
  expect([await loads(front), await loads(back)]).toEqual([1, 2])
})

test('the token is renewed three seconds before its end, by one tab for all, and nobody notices', async () => {
  const { context } = browser
  const refreshes = countRefreshes(context)
  const front = await openTab(context, '/login?to=/ess/create')
  await signIn(front)
  await expect(heading(front, 'New ESS')).toBeVisible()
  const back = await openTab(context, '/firmware')
  await front.bringToFront()
  await front.getByRole('textbox', { name: 'Name', exact: true }).fill('Half a name')
  const first = await token(front)
  await expect.poll(() => token(front), { timeout: 20_000 }).not.toBe(first)
  const second = await token(front)
  await expect.poll(() => token(front), { timeout: 20_000 }).not.toBe(second)
  expect(await token(back)).toBe(await token(front))
  // Each token is shown for a new one once, whichever tab does it.
  expect(new Set(refreshes).size).toBe(refreshes.length)
  expect(await loads(front)).toBe(1)
  expect(await loads(back)).toBe(1)
  await expect(front.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Half a name')
})

test('while no new token comes the page is covered and kept; when one comes it goes on', async () => {
  const { context } = browser
  const page = await openTab(context, '/login?to=/ess/create')
  await signIn(page)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Half a name')
  await context.route('**/api/auth/refresh', (route) => route.abort('connectionfailed'))
  await expect(page.getByText('Updating token')).toBeVisible({ timeout: 20_000 })
  await expect(page.locator('[inert]').getByRole('textbox', { name: 'Name', exact: true })).toHaveCount(1)
  await context.unroute('**/api/auth/refresh')
  await expect(page.getByText('Updating token')).toBeHidden({ timeout: 20_000 })
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Half a name')
  expect(await loads(page)).toBe(1)
})

test('a renewal that is refused signs out, and what was typed is offered to the same person again', async () => {
  const { context } = browser
  const page = await openTab(context, '/login?to=/ess/create')
  await signIn(page)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Half a name')
  await context.route('**/api/auth/refresh', (route) => route.fulfill({ status: 403, json: { message: 'No longer' } }))
  await expect(heading(page, 'Sign in')).toBeVisible({ timeout: 20_000 })
  expect(await token(page)).toBeUndefined()
  await context.unroute('**/api/auth/refresh')
  await signIn(page)
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Half a name')
})

test('a comment that was begun is there again after a lost session', async () => {
  const { context } = browser
  const moderator = await ApiUser.signIn(server.url, accounts.moderator)
  const { id } = await moderator.first('telemetry-warning?controlPcbId_null=false&_end=1')
  const page = await openTab(context, `/login?to=/telemetry-warning/${id}`)
  await signIn(page)
  const comment = page.getByRole('textbox', { name: 'Add a comment' })
  await comment.fill('Half a thought')
  await context.route('**/api/auth/refresh', (route) =>
    route.fulfill({ status: 403, json: { message: 'No longer', code: 'session-ended.age' } }),
  )
  await expect(heading(page, 'Sign in')).toBeVisible({ timeout: 20_000 })
  await expect(page.getByRole('alert')).toContainText('No longer')
  await expect(page.getByRole('alert')).toContainText('Your drafts are kept in this browser.')
  await expect(page.getByLabel('E-mail')).toHaveValue(accounts.moderator)
  await context.unroute('**/api/auth/refresh')
  await signIn(page)
  await expect(comment).toHaveValue('Half a thought')
})

test('a save that finds its session ended leads back to the page of the form', async () => {
  const { context } = browser
  const moderator = await ApiUser.signIn(server.url, accounts.moderator)
  const { id } = await moderator.first('ess?_end=1')
  const page = await openTab(context, `/login?to=/ess/${id}/edit`)
  await signIn(page)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Half a name')
  const headers = { authorization: `Bearer ${await token(page)}`, 'content-type': 'application/json' }
  await fetch(`${server.url}/api/auth/logout`, { method: 'POST', headers, body: '{}' })
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(heading(page, 'Sign in')).toBeVisible()
  // Whatever else hears of the end has its say before the person types.
  await page.waitForTimeout(500)
  await expect(page).toHaveURL(`${server.url}/login?to=${encodeURIComponent(`/ess/${id}/edit`)}`)
  await signIn(page)
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Half a name')
})

test('a form in a tab behind stays when another person signs in in front, and nothing of it is sent', async () => {
  const { context } = browser
  const back = await openTab(context, '/login?to=/ess/create')
  await signIn(back)
  await back.getByRole('textbox', { name: 'Name', exact: true }).fill('Of the moderator')
  const front = await openTab(context, '/firmware')
  await front.bringToFront()
  await expect(heading(front, 'Firmware')).toBeVisible()
  const { session } = await ApiUser.signIn(server.url, accounts.admin)
  await front.evaluate((other) => {
    const { rev, skewMs } = JSON.parse(localStorage.getItem('ess-console.session') ?? '{}')
    localStorage.setItem('ess-console.session', JSON.stringify({ session: other, rev: rev + 1, skewMs }))
  }, session)
  await front.reload()
  await expect(front.getByRole('button', { name: 'Account of Ada Admin' })).toBeVisible()
  await expect(back.getByText('Someone else has signed in in another tab')).toBeVisible()
  await expect(back.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Of the moderator')
  const writes: string[] = []
  back.on('request', (request) => request.method() === 'POST' && writes.push(request.url()))
  await back.bringToFront()
  await back.getByRole('button', { name: 'Create' }).click()
  await back.waitForTimeout(500)
  expect(writes.filter((url) => url.endsWith('/api/ess'))).toEqual([])
  expect(await loads(back)).toBe(1)
})

test('without a network nobody is signed out, and the form goes on when it is back', async () => {
  const { context } = browser
  const page = await openTab(context, '/login?to=/ess/create')
  await signIn(page)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Typed on a train')
  await context.setOffline(true)
  await expect(page.getByText('You are offline. What you see may be out of date.')).toBeVisible()
  await expect(page.getByText('Updating token')).toBeVisible({ timeout: 20_000 })
  await context.setOffline(false)
  await expect(page.getByText('Updating token')).toBeHidden({ timeout: 20_000 })
  await expect(page.getByText('You are offline')).toBeHidden()
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Typed on a train')
})
