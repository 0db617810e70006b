import type { Browser, Page } from '@playwright/test'
import { ApiUser, accounts } from './support/api-user.ts'
import { expect, signInPage, test } from './support/console.ts'
import type { LiveServer } from './support/live-server.ts'

/** How soon a change must be seen elsewhere. */
const soon = { timeout: 2_000 }

const streams = (calls: readonly string[]) => calls.filter((call) => call.startsWith('GET /api/events?')).length

/** The stream is open and what was loaded before it has been read again, so that nothing of it is still under way. */
async function live(page: Page, calls: readonly string[]) {
  await expect.poll(() => streams(calls)).toBe(1)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('ess-console.last-event'))).not.toBeNull()
  await page.waitForTimeout(500)
}

/** The browser of another person. */
async function openElsewhere(browser: Browser, server: LiveServer, path: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, serviceWorkers: 'block' })
  const page = await context.newPage()
  await signInPage(page, await ApiUser.signIn(server.url, accounts.moderator))
  await page.goto(path)
  return page
}

const markPage = (page: Page) => page.evaluate(() => Object.assign(window, { isSamePage: true }))
const isSamePage = (page: Page) => page.evaluate(() => 'isSamePage' in window)

test('what one person saves, another sees in his open list and record, without a reload', async ({
  as,
  browser,
  server,
  api,
  calls,
  context,
}) => {
  const { id, code } = await (await api('admin')).first('ess?code=ESS-000007')
  const list = await as('admin', '/ess?sort=code')
  const record = await context.newPage()
  await record.goto(`/ess/${id}`)
  await expect(record.getByRole('heading', { level: 1, name: String(code) })).toBeVisible()
  await live(list, calls)
  await markPage(list)
  await markPage(record)

  const other = await openElsewhere(browser, server, `/ess/${id}/edit`)
  await other.getByRole('textbox', { name: 'Name', exact: true }).fill('Renamed elsewhere')
  await other.getByRole('button', { name: 'Save' }).click()
  await other.waitForURL(`**/ess/${id}`)
  await expect(list.getByRole('row', { name: String(code) })).toContainText('Renamed elsewhere', soon)
  await expect(record.getByText('Renamed elsewhere').first()).toBeVisible(soon)
  expect(await isSamePage(list)).toBe(true)
  expect(await isSamePage(record)).toBe(true)
  await other.context().close()
})

test('a changed row is asked for alone, and selection and scroll stay as they are', async ({ as, api, calls }) => {
  const moderator = await api('moderator')
  const page = await as('admin', '/user')
  const rows = page.getByRole('row')
  await expect(rows).toHaveCount(26)
  await live(page, calls)
  await rows.nth(3).getByRole('checkbox').check()
  await expect(page.getByText('Selected: 1')).toBeVisible()
  await page.evaluate(() => window.scrollTo(0, 300))
  const scrolled = await page.evaluate(() => window.scrollY)
  const email = await rows.nth(9).getByRole('link').first().textContent()
  const { id, version } = await moderator.first(`user?email=${encodeURIComponent(String(email))}`)

  const before = calls.length
  await moderator.send('PUT', `user/${id}`, { firstName: 'Livia', lastName: 'Changed', version })
  await expect(rows.nth(9)).toContainText('Changed', soon)
  await expect(rows.nth(3).getByRole('checkbox')).toBeChecked()
  expect(await page.evaluate(() => window.scrollY)).toBe(scrolled)
  const asked = calls.slice(before).map((call) => call.replace(/&?_(start|end)=\d+/g, ''))
  expect(asked.filter((call) => call === `GET /api/user?id=${id}`)).toHaveLength(1)
  // Other tests change other users at the same time; those are asked for alone as well.
  expect(asked.filter((call) => !/^GET \/api\/user\?id=[\w-]+$/.test(call))).toEqual([])
})

test('a form that is being filled in takes what others change elsewhere and keeps what was typed', async ({
  as,
  api,
  calls,
}) => {
  const moderator = await api('moderator')
  const { id } = await moderator.first('ess?code=ESS-000011')
  const page = await as('admin', `/ess/${id}/edit`)
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('Typed and not saved')
  await live(page, calls)

  const { version } = await moderator.first('ess?code=ESS-000011')
  await moderator.send('PUT', `ess/${id}`, { name: 'From elsewhere', manufacturer: 'Elsewhere Ltd', version })
  await expect(page.getByRole('textbox', { name: 'Manufacturer' })).toHaveValue('Elsewhere Ltd', soon)
  await expect(name).toHaveValue('Typed and not saved')
})

test('a record that comes is counted and one that goes says so', async ({ as, api, calls, context }) => {
  const admin = await api('admin')
  const { profile, chemistry, ratedEnergyWh, ratedChargePowerW, ratedDischargePowerW, location } =
    await admin.first('ess?code=ESS-000020')
  const page = await as('admin', '/ess?q=ESS-&sort=-code')
  await live(page, calls)
  const made = await admin.send('POST', 'ess', {
    code: 'ESS-999001',
    name: 'Came alive',
    profile,
    chemistry,
    ratedEnergyWh,
    ratedChargePowerW,
    ratedDischargePowerW,
    location,
  })
  await expect(page.getByRole('link', { name: 'ESS-999001' })).toBeVisible(soon)
  await expect(page.getByText('of 201')).toBeVisible(soon)

  const record = await context.newPage()
  await record.goto(`/ess/${made.id}`)
  await expect(record.getByRole('heading', { level: 1, name: 'ESS-999001' })).toBeVisible()
  await admin.send('DELETE', `ess/${made.id}`)
  await expect(record.getByText('Not found', { exact: true })).toBeVisible(soon)
  await expect(page.getByRole('link', { name: 'ESS-999001' })).toBeHidden(soon)
})

test('eight tabs share one stream, and when the reading one is closed another goes on', async ({ as, api, calls, context }) => {
  test.slow()
  const first = await as('admin', '/ess?sort=code')
  await live(first, calls)
  const others = await Promise.all(Array.from({ length: 7 }, () => context.newPage()))
  await Promise.all(others.map((page) => page.goto('/ess?sort=code')))
  for (const page of others) await expect(page.getByRole('row')).toHaveCount(26)
  expect(streams(calls)).toBe(1)
  const tookMs = await first.evaluate(async () => {
    const started = performance.now()
    await fetch('/api/health')
    return performance.now() - started
  })
  expect(tookMs).toBeLessThan(1_000)

  await first.close()
  await expect.poll(() => streams(calls)).toBe(2)
  const moderator = await api('moderator')
  const { id, version } = await moderator.first('ess?code=ESS-000003')
  await moderator.send('PUT', `ess/${id}`, { name: 'Heard by all', version })
  for (const page of others) {
    await expect(page.getByRole('row', { name: 'ESS-000003' })).toContainText('Heard by all', { timeout: 4_000 })
  }
})

test('signing out ends the stream, and nothing of it is kept', async ({ as, calls, page }) => {
  await as('admin', '/ess')
  await live(page, calls)
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login/)
  await page.waitForTimeout(1_500)
  expect(streams(calls)).toBe(1)
  expect(await page.evaluate(() => localStorage.getItem('ess-console.last-event'))).toBeNull()
})
