import type { Page } from '@playwright/test'
import { warnings } from '#resources/fleet/warnings/warnings.ts'
import { seriousFaults } from './support/axe.ts'
import { expect, test } from './support/console.ts'
import { notice } from './support/form.ts'
import { newUser } from './support/records.ts'
import { TalkingBoard } from './support/talking-board.ts'

test.use({ viewport: { width: 390, height: 800 } })

const overflow = (page: Page) =>
  page.evaluate(() => {
    const width = document.scrollingElement?.scrollWidth ?? 0
    return width <= window.innerWidth ? [] : [`${width} > ${window.innerWidth}`]
  })

for (const language of ['en', 'ru']) {
  test(`on a phone no page is wider than the screen: ${language}`, async ({ as, api, page: own }) => {
    await own.addInitScript((chosen) => localStorage.setItem('ess-console.language', chosen), language)
    await own.goto('/login')
    await expect(own.getByRole('textbox').first()).toBeVisible()
    expect(await overflow(own), 'sign-in').toEqual([])
    const admin = await api('admin')
    const { id } = await admin.first('ess?code=ESS-000003')
    const board = await admin.first(`control-pcb?essId=${id}`)
    const page = await as('admin', '/')
    for (const path of [
      '/',
      '/ess',
      '/user',
      `/ess/${id}`,
      `/ess/${id}/guest`,
      `/ess/${id}/edit`,
      `/control-pcb/${board.id}/telemetry?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z`,
      '/firmware/create',
      '/profile',
    ]) {
      await page.goto(path)
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
      await page.waitForTimeout(300)
      expect(await overflow(page), path).toEqual([])
    }
  })
}

test('on a phone a fact of a client stands beside its label', async ({ as }) => {
  const page = await as('client')
  const label = page.getByRole('main').locator('dt', { hasText: 'Rated energy' }).first()
  const value = page.getByRole('main').locator('dt:has-text("Rated energy") + dd').first()
  await expect(value).toBeVisible()
  const [left, right] = [await label.boundingBox(), await value.boundingBox()]
  expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0))
  expect(Math.abs((right?.y ?? 0) - (left?.y ?? 99))).toBeLessThan(4)
})

test('on a phone the menu opens, leads on, and closes; a dialog fits', async ({ as, api }) => {
  const { id } = await (await api('admin')).first('ess?code=ESS-000003')
  const page = await as('admin', '/')
  await page.getByRole('banner').getByRole('button', { name: /menu/i }).click()
  await page.getByRole('link', { name: 'ESS', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'ESS', level: 1 })).toBeVisible()
  await page.goto(`/ess/${id}`)
  await page.getByRole('button', { name: 'Set owner' }).click()
  const box = await page.getByRole('dialog').boundingBox()
  expect(box?.x).toBeGreaterThanOrEqual(0)
  expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(390)
  expect(await overflow(page)).toEqual([])
})

test('on a phone a list begins near the top: no filter that is not in use, all in the menu, and the name of a row whole', async ({
  as,
}) => {
  const page = await as('admin', '/telemetry-warning')
  const main = page.getByRole('main')
  await expect(main.getByRole('row').nth(1)).toBeVisible()
  await expect(main.getByRole('button', { name: 'Acknowledged', exact: true })).toHaveCount(0)
  await main.getByRole('button', { name: 'Filters', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Acknowledged', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Acknowledged' })).toBeVisible()
  await page.goto('/client?q=client0')
  const first = main.getByRole('row').nth(1).getByRole('cell').first()
  await expect(first).toContainText('@example.com')
  expect(await first.evaluate((cell) => cell.scrollWidth <= cell.clientWidth)).toBe(true)
})

/** Height of the highest card, without the further lines of a name that is longer than the screen is wide, which is read whole. */
const heightBesideName = (rows: Element[]) =>
  Math.max(
    ...rows.map((row) => {
      const name = row.querySelector('.view-card-title')
      const lineHeight = name ? Number.parseFloat(getComputedStyle(name).lineHeight) : 0
      return row.clientHeight - Math.max(0, (name?.clientHeight ?? 0) - lineHeight)
    }),
  )

test('on a phone every row of a list is a card of two lines, of the audit log and of users as well', async ({ as, api }) => {
  const admin = await api('admin')
  await newUser(admin)
  const page = await as('admin', '/audit-log')
  for (const path of ['/audit-log', '/user']) {
    await page.goto(path)
    const rows = page.getByRole('main').locator('tbody:not([aria-hidden]) tr')
    await expect(rows.nth(3)).toBeVisible()
    await expect.poll(() => rows.evaluateAll(heightBesideName), path).toBeLessThan(62)
  }
})

/** Texts that are cut off: by the box of the name, or by one of its parts or of the values under it that are in sight. */
const cutTexts = (page: Page) =>
  page.locator('.view-card-title, .view-card-title .view-card-part, .view-card-line .view-card-part').evaluateAll((boxes) =>
    boxes
      .filter((box) => box.getBoundingClientRect().top < (box.closest('.ui-grid-link')?.getBoundingClientRect().bottom ?? 0))
      .filter((box) => box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1)
      .filter((box) => getComputedStyle(box).display !== 'inline')
      .map((box) => box.textContent),
  )

/** Names of the length that people may type: without a space, of many parts, and in the widest letters. */
const longNames = () => [
  { email: `${Date.now()}${'a'.repeat(47)}@${'b'.repeat(60)}.example`, firstName: 'Щ'.repeat(64), lastName: 'Ж'.repeat(64) },
  {
    email: `${Date.now()}.${'anna-maria.'.repeat(4)}w@test.example`,
    firstName: 'Anna Maria',
    lastName: 'Katharina Elisabeth '.repeat(3).trim(),
  },
]

test('on a phone the name of a row is read whole, however long it is', async ({ as, api, page: own }) => {
  const admin = await api('admin')
  for (const names of longNames()) await admin.send('POST', 'user', { role: 'installer', ...names })
  const page = await as('admin', '/')
  for (const path of ['/user', '/user?columns=name,email,status', '/user?columns=firstName,lastName'])
    for (const language of ['en', 'ru']) {
      await own.evaluate((chosen) => localStorage.setItem('ess-console.language', chosen), language)
      await page.goto(path)
      await expect(page.locator('.ui-grid-cards:not([aria-busy])')).toBeVisible()
      await expect(page.locator('.ui-grid-cards tbody tr').filter({ hasText: 'ЩЩ' }).first()).toBeVisible()
      expect(await cutTexts(page), `${path} ${language}`).toEqual([])
      const beyond = (links: Element[]) =>
        links.filter((link) => link.scrollWidth > link.clientWidth + 1).map(({ textContent }) => textContent)
      expect(await page.locator('.ui-grid-cards .ui-grid-link').evaluateAll(beyond), `${path} ${language}`).toEqual([])
    }
})

test('on a phone the name of a row is read whole, and a number stands with its name or not at all', async ({ as }) => {
  const page = await as('admin', '/')
  for (const path of ['/ess?sort=-counts.openWarnings', '/telemetry-warning?limit=100', '/control-pcb', '/user']) {
    await page.goto(path)
    await expect(page.locator('.ui-grid-cards:not([aria-busy])')).toBeVisible()
    await expect(page.locator('.view-card-title').nth(3)).toBeVisible()
    expect(await cutTexts(page), path).toEqual([])
  }
  await page.goto('/ess?sort=-counts.openWarnings')
  await expect(page.locator('.view-card-line').first()).toHaveText(/Open warnings\s*\d/, { useInnerText: true })
  const [title, line] = await page
    .locator('.ui-grid-cards tbody tr')
    .first()
    .locator('.view-card-title, .view-card-line')
    .evaluateAll((lines) => lines.map((each) => Number(getComputedStyle(each).fontWeight)))
  expect(line).toBeLessThan(title ?? 0)
})

test('on a phone every list has cards: two lines, a link, a mark, a menu and an order, and nothing to scroll sideways', async ({
  as,
  api,
}) => {
  const admin = await api('admin')
  const { id } = await admin.first('ess?code=ESS-000003')
  const page = await as('admin', '/ess')
  const main = page.getByRole('main')
  const row = main.getByRole('row').nth(1)
  const sideways = () => main.locator('.ui-grid').evaluate((box) => box.scrollWidth - box.clientWidth)
  for (const path of [
    '/ess',
    '/control-pcb',
    '/telemetry-warning',
    '/user',
    '/audit-log',
    '/firmware-update',
    `/ess/${id}/guest`,
  ]) {
    await page.goto(path)
    await expect(main.locator('.ui-grid-cards:not([aria-busy])')).toBeVisible()
    expect(await sideways(), path).toBe(0)
  }

  await page.goto('/user?limit=10&q=client0')
  const waiting = main.locator('.ui-grid-skeleton tr').first()
  await expect(row.getByRole('link')).toContainText('@example.com')
  await expect(waiting).toHaveCount(0)
  expect((await row.boundingBox())?.height).toBeLessThanOrEqual(64)
  await row.getByRole('checkbox').check()
  await expect(page.getByText('Selected: 1')).toBeVisible()
  await row.getByRole('checkbox').uncheck()
  await expect(row.getByRole('button', { name: /^More actions/ })).toBeVisible()
  await main.getByRole('combobox', { name: 'Order' }).selectOption('E-mail ↑')
  await expect(page).toHaveURL(/sort=email/)
  const first = await row.getByRole('link').textContent()
  await main.getByRole('combobox', { name: 'Order' }).selectOption('E-mail ↓')
  await expect(row.getByRole('link')).not.toHaveText(String(first))
  await page.getByRole('heading', { level: 1 }).click()
  const focused = main.locator('tbody [data-row-link]:focus')
  await expect
    .poll(async () => {
      await page.keyboard.press('j')
      return focused.count()
    })
    .toBe(1)
  expect(await seriousFaults(page)).toEqual([])
  await row.getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('@example.com')
})

test('on a phone the card of a system has its worst warning and the age of its last signal', async ({ as, api, server }) => {
  const admin = await api('admin')
  const board = await TalkingBoard.attach(admin, server.url)
  await board.send(board.frame({ eventFlags: 2 ** warnings.INSULATION_FAULT.flag.bit }))
  const { code } = await admin.get<{ code: string }>(`ess/${board.essId}`)
  const page = await as('admin', `/ess?q=${code}`)
  const card = page.getByRole('row').filter({ hasText: code })
  await expect(card).toContainText('Critical')
  await expect(card.getByText(/ago|now/)).toBeVisible()
})

/** Between the upper edge of the page and the first toast. */
const gapPx = 4

test('on a phone a live warning is as high as the bar above the page', async ({ as }) => {
  const page = await as('admin', '/ess')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const toast = notice(page, 'The temperature')
  // The page listens once it is at rest, and shows what it knows already only once.
  await expect(async () => {
    await page.evaluate(() => {
      const title = 'The temperature of a cell is too high'
      const body = 'ESS-000201 · PCB-2C247192FFA9 · module 3, cell 7 · 58.2 °C'
      const note = { id: 'x', title, body, tone: 'bad', link: '/telemetry-warning' }
      new BroadcastChannel('ess-console.notes').postMessage({ kind: 'note', note })
    })
    await expect(toast).toBeVisible({ timeout: 500 })
  }).toPass()
  // A warning of another test may stand above it: what counts is its height, below the gap of the first.
  await expect.poll(async () => (await toast.boundingBox())?.y, 'it slides in from above').toBeGreaterThanOrEqual(0)
  const [bar, box] = [await page.getByRole('banner').boundingBox(), await toast.boundingBox()]
  expect((box?.height ?? 0) + gapPx).toBeLessThanOrEqual(bar?.height ?? 0)
})
