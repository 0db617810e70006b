import type { Locator, Page } from '@playwright/test'
import { expect, test } from './support/console.ts'
import { dialog, text } from './support/form.ts'
import { newUser } from './support/records.ts'
import { TalkingBoard } from './support/talking-board.ts'

const background = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)

/** 0 is black, 1 is white. */
async function lightness(page: Page): Promise<number> {
  const [red = 0, green = 0, blue = 0] = (await background(page)).match(/\d+/g)?.map(Number) ?? []
  return (red + green + blue) / 765
}

test('the look follows the system, live, until one is pinned in the menu', async ({ as, page: own }) => {
  await own.emulateMedia({ colorScheme: 'light' })
  const page = await as('admin', '/ess?sort=code')
  await expect.poll(() => lightness(page)).toBeGreaterThan(0.8)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => lightness(page)).toBeLessThan(0.3)

  await page.getByRole('button', { name: 'Theme' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Light' }).click()
  await expect.poll(() => lightness(page)).toBeGreaterThan(0.8)
  await page.reload()
  await expect(page.getByRole('link', { name: 'ESS-000001' })).toBeVisible()
  expect(await lightness(page)).toBeGreaterThan(0.8)
  await page.emulateMedia({ colorScheme: 'light' })

  await page.getByRole('button', { name: 'Theme' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'As the system' }).click()
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => lightness(page)).toBeLessThan(0.3)
})

test('a pinned look is there from the first paint', async ({ as, page: own }) => {
  await own.emulateMedia({ colorScheme: 'light' })
  const page = await as('admin', '/')
  await page.getByRole('button', { name: 'Theme' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Dark' }).click()
  await page.route('**/assets/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300))
    await route.continue()
  })
  await page.goto('/ess?sort=code', { waitUntil: 'commit' })
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
  await expect(page.getByRole('link', { name: 'ESS-000001' })).toBeVisible()
  expect(await lightness(page)).toBeLessThan(0.3)
})

test('every channel is read in full in the choice of channels', async ({ as, api, server }) => {
  const board = await TalkingBoard.attach(await api('admin'), server.url)
  await board.send(board.frame())
  const page = await as('admin', `/control-pcb/${board.id}/telemetry`)
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await page.getByRole('button', { name: /Channels/ }).click()
    const box = page.getByRole('dialog', { name: 'Channels' })
    await expect(box.getByRole('checkbox').first()).toBeVisible()
    const cut = await box.evaluate(
      (popup) =>
        [popup, ...popup.querySelectorAll('*')].filter(
          (each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0,
        ).length,
    )
    expect(cut, `${width} px`).toBe(0)
    await page.keyboard.press('Escape')
  }
})

for (const language of ['en', 'ru'])
  test(`at 1440 px no list hides a column of its own: ${language}`, async ({ as, api, server }) => {
    const admin = await api('admin')
    const board = await TalkingBoard.attach(admin, server.url)
    const powers = { pvPowerW: 5_210, gridPowerW: -2_340, loadPowerW: 1_620 }
    await board.send(board.frame(powers))
    const { version } = await admin.get(`ess/${board.essId}`)
    await admin.send('PUT', `ess/${board.essId}`, {
      version,
      name: 'Солнечная электростанция с накопителем на крыше склада номер 12',
    })
    const client = await admin.first('user?role=client&status=ACTIVE&_end=1')
    await admin.send('PUT', `ess/${board.essId}/owner`, { clientId: client.id })
    const page = await as('admin', '/about')
    await page.evaluate((code) => localStorage.setItem('ess-console.language', code), language)
    await page.setViewportSize({ width: 1440, height: 900 })
    for (const path of ['/ess', '/control-pcb', '/telemetry-warning', '/user', '/client', '/invitation', '/audit-log']) {
      await page.goto(path)
      await expect(page.getByRole('row').nth(1)).toBeVisible()
      await expect(page.locator('html')).toHaveAttribute('data-face', 'own')
      const hidden = () =>
        page
          .locator('.ui-grid')
          .first()
          .evaluate((grid) => grid.scrollWidth - grid.clientWidth)
      // Cells of the log are put into words by code that comes after its rows.
      await expect.poll(hidden, path).toBeLessThanOrEqual(0)
    }
    // One value with a name that is longer than all others.
    await page.route('**/api/telemetry-warning?*', async (route) => {
      const response = await route.fetch()
      const rows: Record<string, unknown>[] = await response.json()
      await route.fulfill({ response, json: rows.map((row) => ({ ...row, subject: 'backupReservePct is not supported' })) })
    })
    await page.goto('/telemetry-warning?limit=200')
    const grid = page.locator('.ui-grid').first()
    await expect(grid).toContainText('backupReservePct')
    await expect.poll(() => grid.evaluate((box) => box.scrollWidth - box.clientWidth)).toBeLessThanOrEqual(0)
    await page.unroute('**/api/telemetry-warning?*')
    const { code } = await admin.get<{ code: string }>(`ess/${board.essId}`)
    await page.goto(`/ess?q=${code}`)
    await expect(page.getByRole('img', { name: /5[.,]21.*2[.,]34/ })).toBeVisible()
    expect(await page.locator('.ui-grid').evaluate((grid) => grid.scrollWidth - grid.clientWidth)).toBeLessThanOrEqual(0)
  })

for (const language of ['en', 'ru'])
  test(`at 1280 px a list shows the numbers of a flow whole, with their unit: ${language}`, async ({ as, api, server }) => {
    const admin = await api('admin')
    const board = await TalkingBoard.attach(admin, server.url)
    await board.send(board.frame({ pvPowerW: 13_400, gridPowerW: 129_300, loadPowerW: 141_200 }))
    const { code } = await admin.get<{ code: string }>(`ess/${board.essId}`)
    const page = await as('admin', '/about')
    await page.evaluate((chosen) => localStorage.setItem('ess-console.language', chosen), language)
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(`/ess?q=${code}`)
    const flow = page.getByRole('img', { name: /129/ })
    await expect(flow).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('data-face', 'own')
    expect(await excess(page.getByRole('cell').filter({ has: flow }))).toBeLessThanOrEqual(0)
    const ends = async () => (await flow.boundingBox().then((box) => box && box.x + box.width)) ?? 0
    const actions = async () => (await page.locator('td.ui-grid-actions').boundingBox())?.x
    await expect.poll(async () => (await actions()) ?? 0).toBeGreaterThanOrEqual(await ends())
  })

test('heads of columns stand over their values, behind a number too', async ({ as }) => {
  const page = await as('admin', '/ess')
  await page.setViewportSize({ width: 1920, height: 1080 })
  await expect(page.getByRole('link', { name: /^ESS-/ }).first()).toBeVisible()
  const starts = (selector: string) =>
    page.locator(selector).evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).paddingInlineStart))
  const heads = await starts('.ui-grid thead th')
  expect(new Set(heads).size).toBeGreaterThan(1)
  expect(await starts('.ui-grid tbody tr:first-child > *')).toEqual(heads)
})

const topOf = async (field: Locator) => (await field.boundingBox())?.y

test('from and to stand in one row of a form', async ({ as }) => {
  const page = await as('admin', '/firmware-update/create')
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(text(page, 'From')).toBeVisible()
  expect(await topOf(text(page, 'To'))).toBe(await topOf(text(page, 'From')))
  await page.goto('/rollout/create')
  await expect(text(page, 'Present version from')).toBeVisible()
  expect(await topOf(text(page, 'Present version up to'))).toBe(await topOf(text(page, 'Present version from')))
})

test('sentences of a confirmation stand apart', async ({ as, api }) => {
  const user = await newUser(await api('admin'), 'client')
  const page = await as('admin', `/user/${user.id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const sentences = dialog(page).getByRole('paragraph')
  await expect(sentences.nth(1)).toBeVisible()
  const [first, second] = [await sentences.nth(0).boundingBox(), await sentences.nth(1).boundingBox()]
  expect((second?.y ?? 0) - (first?.y ?? 0) - (first?.height ?? 0)).toBeGreaterThanOrEqual(8)
})

/** How far an element reaches over its own box, in px. */
const excess = (box: Locator) => box.evaluate((node) => node.scrollWidth - node.clientWidth)

test('a long text breaks before it leaves its card or its cell', async ({ as }) => {
  const page = await as('admin', '/')
  await page.setViewportSize({ width: 1440, height: 900 })
  const head = page.locator('.ui-card-head', { has: page.getByRole('heading', { name: 'Energy', exact: true }) })
  await head.locator('.ui-actions a').evaluate((link) => link.replaceChildren('a language with words that are all long ones'))
  expect(await excess(head)).toBeLessThanOrEqual(0)
  await page.goto('/audit-log')
  const changes = page.locator('td:has(.view-changes)').first()
  await expect(changes).toBeVisible()
  await page.locator('.ui-grid').evaluate((grid) => grid.style.setProperty('--cell-max', '160px'))
  expect(await excess(changes)).toBeLessThanOrEqual(0)
})
