import type { Locator, Page } from '@playwright/test'
import { expect, test } from './support/console.ts'
import { holdConsole } from './support/hold.ts'

const key = 'ess-console.last-page'
const kept = (page: Page) => page.evaluate((name) => localStorage.getItem(name), key)
const copy = (page: Page) => page.locator('#frame[aria-busy] tbody')

/** Where a row stands; its width follows its texts. */
const placeOf = async (row: Locator) => {
  const { x, y, height } = (await row.boundingBox()) ?? {}
  return { x, y, height }
}

/** Keeps in each page every row that the frame of the document has shown. */
const keepRows = (page: Page) =>
  page.addInitScript(() => {
    const rows: string[] = []
    Object.assign(window, { rows })
    const look = () => {
      for (const row of document.querySelectorAll('#frame tbody tr')) rows.push(row.textContent ?? '')
    }
    new MutationObserver(look).observe(document, { childList: true, subtree: true })
  })
const rowsOf = (page: Page): Promise<string[]> => page.evaluate(() => Reflect.get(window, 'rows'))

/** Opens a list and stays until the console keeps copies, which it does from its first quiet moment on. */
async function visit(page: Page, calls: string[], path = '/ess'): Promise<void> {
  calls.length = 0
  await page.goto(path)
  await expect(page.locator('#root tbody tr').first()).toBeVisible()
  await expect.poll(() => calls).toContain('GET /api/events?mostPerS=50')
}

/** Opens an address whose scripts are held back. */
async function openSlowly(page: Page, path = '/ess'): Promise<() => void> {
  const release = await holdConsole(page)
  await page.goto(path, { waitUntil: 'commit' })
  await expect(page.locator('link[rel=stylesheet]')).toHaveCount(1)
  await page.waitForFunction(() => document.readyState !== 'loading')
  return release
}

test('the list of the last visit stands before the scripts do, marked as busy, and gives way to the rows of now', async ({
  as,
  calls,
}) => {
  const page = await as('admin', '/about')
  await visit(page, calls)
  const first = page.locator('#root tbody tr').first()
  const [code] = /ESS-\d+/.exec((await first.textContent()) ?? '') ?? []
  const place = await placeOf(first)
  const release = await openSlowly(page)
  await expect(copy(page).locator('tr').first()).toContainText(String(code))
  await expect(page.locator('#frame')).toHaveAttribute('inert')
  // Nothing is painted before the style sheet, which may come after the copy.
  await expect.poll(() => placeOf(copy(page).locator('tr').first())).toEqual(place)
  expect(await page.locator('#frame :is([id], [href], [title], [aria-label])').count()).toBe(0)
  release()
  await expect(page.getByRole('row', { name: String(code) })).toBeVisible()
  expect(await placeOf(first)).toEqual(place)
  await expect(page.locator('#frame tbody')).toHaveCount(0)
  await expect(page.locator('#frame')).not.toHaveAttribute('aria-busy')
  expect((await kept(page))?.length).toBeLessThan(32_000)
})

test('the question about notifications moves no row of the copy', async ({ as, calls }) => {
  const page = await as('admin', '/about')
  await visit(page, calls)
  const banner = page.locator('#root .ui-banner', { hasText: 'notifications' })
  await expect(banner).toBeVisible()
  const first = page.locator('#root tbody tr').first()
  const place = await placeOf(first)
  const release = await openSlowly(page)
  // Nothing is painted before the style sheet, which may come after the copy.
  await expect.poll(() => placeOf(copy(page).locator('tr').first())).toEqual(place)
  release()
  await expect(banner).toBeVisible()
  expect(await placeOf(first)).toEqual(place)
})

test('a copy holds no names and no addresses of people and places', async ({ as, api, calls }) => {
  const page = await as('admin', '/about')
  const admin = await api('admin')
  await visit(page, calls, '/user')
  const texts = await page.locator('#root tbody :is(td, th):not([data-kept])').allTextContents()
  expect(texts.filter((text) => text.includes('@')).length).toBeGreaterThan(2)
  const release = await openSlowly(page, '/user')
  await expect(copy(page).locator('.ui-skeleton').first()).toBeVisible()
  const stored = String(await kept(page))
  for (const text of texts.filter(Boolean)) expect(stored).not.toContain(JSON.stringify(text).slice(1, -1))
  expect(stored).not.toContain('@')
  expect(stored).not.toContain(admin.token)
  release()
})

test('a list with conditions, a record and a page without a list are not kept', async ({ as, calls }) => {
  const page = await as('admin', '/about')
  await visit(page, calls, '/ess?lifecycle=IN_OPERATION')
  await page.goto('/ess-model')
  expect(await kept(page)).toBeNull()
})

test('nobody sees the list of the former person: not after a sign-out, not another person, not another role', async ({
  as,
  api,
  calls,
}) => {
  const page = await as('admin', '/about')
  await keepRows(page)
  await visit(page, calls)
  await page.goto('/profile')
  const copied = String(await kept(page))
  expect(copied).toContain('ESS-')

  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in', level: 1 })).toBeVisible()
  expect(await kept(page)).toBeNull()

  const restore = () => page.evaluate(([name, text]) => localStorage.setItem(name, text), [key, copied] as const)
  // Even a copy that something has left behind is not shown.
  await restore()
  const signedOut = await openSlowly(page)
  signedOut()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  expect([await rowsOf(page), await kept(page)]).toEqual([[], null])

  const { session: own } = (await api('admin')) as { session: { user: object } }
  const { session: others } = await api('moderator')
  for (const session of [{ ...own, user: { ...own.user, role: 'moderator' } }, others]) {
    await restore()
    await page.evaluate(
      (text) => localStorage.setItem('ess-console.session', text),
      JSON.stringify({ session, rev: Date.now(), skewMs: 0 }),
    )
    await openSlowly(page)
    await expect(page.locator('#frame')).toBeVisible()
    expect([await rowsOf(page), await kept(page)]).toEqual([[], null])
  }
  signedOut()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.reload()
  await expect(page.getByRole('row', { name: /ESS-/ }).first()).toBeVisible()
  expect(await rowsOf(page)).toEqual([])
})

test('a copy on screen goes when another tab ends the session', async ({ as, calls, context }) => {
  const page = await as('admin', '/about')
  await visit(page, calls)
  const release = await openSlowly(page)
  await expect(copy(page).locator('tr').first()).toContainText('ESS-')
  const second = await context.newPage()
  await second.goto('/profile')
  await second.getByRole('button', { name: /^Account/ }).click()
  await second.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(copy(page)).toHaveCount(0)
  release()
  await expect(page.getByRole('heading', { name: 'Sign in', level: 1 })).toBeVisible()
})
