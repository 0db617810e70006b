import type { Page } from '@playwright/test'
import { warnings } from '#resources/fleet/warnings/warnings.ts'
import { newAccount } from './support/accounts.ts'
import { seriousFaults } from './support/axe.ts'
import { brokenWords } from './support/broken-words.ts'
import { expect, signInPage, test } from './support/console.ts'
import { TalkingBoard } from './support/talking-board.ts'

const card = (page: Page, name: string) =>
  page.locator('section.ui-card').filter({ has: page.getByRole('heading', { level: 2, name, exact: true }) })
const width = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
const told = (page: Page, count: number) => page.getByText(count > 0 ? new RegExp(`of ${count}$`) : 'Nothing matches')

test('every part of a figure leads to the rows that it counts', async ({ as }) => {
  const page = await as('admin')
  const links = card(page, 'ESS: Connection').getByRole('listitem').getByRole('link')
  await expect(links.first()).toBeVisible()
  const parts = await links.count()
  expect(parts).toBe(4)
  // A board that falls silent between the two looks changes both: then they are looked at again.
  for (let index = 0; index < parts; index++)
    await expect(async () => {
      await page.goto('/')
      const text = await links.nth(index).textContent({ timeout: 5_000 })
      const count = Number(/[\d,]+$/.exec(text ?? '')?.[0].replace(',', ''))
      await links.nth(index).click({ timeout: 5_000 })
      await expect(page).toHaveURL(/\/ess\?connection=/, { timeout: 5_000 })
      await expect(told(page, count)).toBeVisible({ timeout: 5_000 })
    }).toPass({ timeout: 40_000 })
})

test('the spread of firmware names the state of each version and opens its boards', async ({ as }) => {
  const page = await as('moderator')
  const revoked = card(page, 'Control PCB: Firmware').getByRole('link', { name: /2\.0\.0.*Revoked/ })
  const count = Number(/\d+$/.exec((await revoked.textContent()) ?? '')?.[0])
  await revoked.click()
  await expect(page).toHaveURL('/control-pcb?firmware.currentVersion=2.0.0')
  await expect(page.getByText(new RegExp(`of ${count}$`))).toBeVisible()
})

test('every figure leads to as many rows as it says', async ({ as }) => {
  const page = await as('admin')
  const links = page.getByRole('list', { name: /^(?:To look at|Firmware updates|On the latest firmware)$/ }).getByRole('link')
  await expect(links.first()).toBeVisible()
  const names = await links.allTextContents()
  expect(names.join('; ')).toMatch(/without an owner.*under maintenance.*bad data.*differ.*not attached.*Expired invitations/)
  for (const [index, text] of names.entries()) {
    const count = Number(/\d+$/.exec(text)?.[0])
    await links.nth(index).click()
    await expect(page).toHaveURL(/\?/)
    await expect(told(page, count), text).toBeVisible()
    await page.goBack()
    await expect(links.first()).toBeVisible()
  }
})

test('charts are read by the keyboard and as a table, and lead on', async ({ as, api }) => {
  const total = await (await api('admin')).total('telemetry-warning?_end=1')
  expect(total).toBeGreaterThan(0)
  const page = await as('admin')
  const chart = page.getByRole('slider', { name: 'Warnings opened, 30 days' })
  await expect(chart).toHaveAttribute('aria-valuetext', new RegExp(`^${total} warnings? opened in 30 days`))
  await chart.focus()
  await page.keyboard.press('Home')
  await expect(chart).toHaveAttribute('aria-valuetext', /: none$/)
  await page.keyboard.press('End')
  await expect(chart).toHaveAttribute('aria-valuetext', new RegExp(`: ${total} warnings? opened: `))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/telemetry-warning\?raisedAt_gte=/)
  await expect(page.getByText(new RegExp(`of ${total}$`))).toBeVisible()
  await page.goBack()
  await page.getByRole('button', { name: 'As a table: Warnings opened, 30 days' }).click()
  const table = page.getByRole('table', { name: 'Warnings opened, 30 days' })
  await expect(table.getByRole('row').nth(1)).toBeVisible()
  await page.getByRole('button', { name: 'As a chart: Warnings opened, 30 days' }).click()
  await expect(chart).toBeVisible()
})

test('what another person does changes the figures by itself', async ({ as, api }) => {
  const admin = await api('admin')
  const open = 'telemetry-warning?_end=1&active=true&suppressed=false&acknowledged=false'
  const page = await as('moderator')
  const all = card(page, 'Unacknowledged warnings').getByRole('link', { name: /^All: / })
  // Boards of other tests raise and end warnings, too: what is shown is held against what the server counts at that moment.
  const isCounted = async () => expect(await all.textContent()).toBe(`All: ${await admin.total(open)}`)
  await expect(isCounted).toPass()
  const shown = await all.textContent()
  // Three at once: one that a board raises meanwhile does not make the number the same again.
  for (const { id } of await admin.get<{ id: string }[]>(open.replace('_end=1', '_end=3')))
    await admin.send('PUT', `telemetry-warning/${id}/acknowledge`, { note: 'Seen' })
  await expect(all).not.toHaveText(String(shown), { timeout: 15_000 })
  await expect(isCounted).toPass({ timeout: 15_000 })
})

test('what a board has measured is in the energy of the fleet, and its system in the list of those heard', async ({
  as,
  api,
  server,
}) => {
  const admin = await api('admin')
  const board = await TalkingBoard.attach(admin, server.url)
  await board.send(board.frame({ socPct: 63.4, energyAvailableWh: 6_400 }))
  const page = await as('admin')
  const energy = card(page, 'Energy')
  await expect(energy.getByRole('meter', { name: 'Mean charge' })).toHaveAttribute('aria-valuetext', '63.4%')
  await expect(energy.getByText('63.4% mean charge, weighted by capacity')).toBeVisible()
  await page.getByRole('slider', { name: 'State of charge' }).focus()
  for (const key of ['Home', ...Array.from({ length: 6 }, () => 'ArrowRight'), 'Enter']) await page.keyboard.press(key)
  await expect(page).toHaveURL('/ess?socPct_gte=60&socPct_lte=69.9')
  // Boards of other tests may report, too.
  const { code } = await admin.get<{ code: string }>(`ess/${board.essId}`)
  await expect(page.getByRole('row').filter({ hasText: code })).toHaveCount(1)
  await expect(page.getByText(new RegExp(`of ${await admin.total('ess?socPct_gte=60&socPct_lte=69.9')}$`))).toBeVisible()
})

test('charts have names that say what they show', async ({ as }) => {
  const page = await as('admin')
  await expect(page.getByRole('img', { name: /^ESS: Lifecycle\. .*In operation: \d+/ })).toBeVisible()
})

test('a change stands among the recent ones, with the way to its record, when the window is looked at again', async ({
  as,
  api,
  page: own,
}) => {
  await own.clock.install()
  const page = await as('admin')
  await expect(page.getByText(/^As of \d\d:\d\d:\d\d$/)).toBeVisible()
  const admin = await api('admin')
  const ess = await admin.first('ess?code=ESS-000009')
  await admin.send('PUT', `ess/${ess.id}`, { version: ess.version, name: 'Renamed behind the back' })
  await page.clock.fastForward('00:06')
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  const recent = card(page, 'Recently changed')
  await expect(recent.getByText('Ada Admin: changed').first()).toBeVisible()
  await recent.getByRole('link', { name: 'ESS-000009' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'ESS-000009' })).toBeVisible()
})

test('the figures are asked for again every half minute', async ({ as, calls, page }) => {
  await page.clock.install()
  await as('admin')
  await expect(card(page, 'ESS: Connection')).toBeVisible()
  const asked = () => calls.filter((call) => call.startsWith('GET /api/dashboard/summary')).length
  const before = asked()
  await page.clock.fastForward(31_000)
  await expect.poll(asked).toBeGreaterThan(before)
})

test('a client sees the systems that are his or shared, and nothing of boards or other people', async ({ as, calls }) => {
  const page = await as('client')
  await expect(page.getByText('Yours').first()).toBeVisible()
  await expect(page.getByText('Shared with you')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('ESS-000001')
  await expect(page.getByRole('main')).not.toContainText(/PCB|\bboards?\b|package/i)
  expect(calls.filter((call) => !/auth|dashboard|events|device|locales/.test(call))).toEqual([])
})

test('a client sees charge, flow, the day and what is wrong, as it comes, in both languages', async ({
  page,
  api,
  server,
  calls,
}) => {
  const admin = await api('admin')
  const { id, user } = await newAccount(server.url, admin, 'client')
  await signInPage(page, user)
  await page.goto('/')
  await expect(page.getByText('No system yet')).toBeVisible()

  const board = await TalkingBoard.attach(admin, server.url)
  await admin.send('PUT', `ess/${board.essId}/owner`, { clientId: id })
  await expect(page.getByRole('heading', { level: 2, name: 'House of a test' })).toBeVisible()
  await expect(page.getByText('No current values')).toBeVisible()

  // Frames tell whole seconds: this one is surely of a time after the owner was set.
  const time = new Date(Date.now() + 2_000)
  await board.send(board.frame({ socPct: 63.4, pvPowerW: 3_000, loadPowerW: 4_072, gridPowerW: -464 }, { time }))
  await expect(page.getByRole('meter', { name: 'State of charge' })).toHaveAttribute('aria-valuetext', '63.4%')
  await expect(page.getByRole('img', { name: /^Energy flow\. Solar: 3\.00 kW\. Grid: / })).toBeVisible()
  await expect(page.getByText('No open warnings')).toBeVisible()

  const next = new Date(time.getTime() + 1_000)
  await board.send(
    board.frame(
      { socPct: 63.5, pvPowerW: 3_000, pvEnergyWh: 9_000_700, eventFlags: 2 ** warnings.INSULATION_FAULT.flag.bit },
      { time: next },
    ),
  )
  const openWarnings = page.getByRole('list', { name: 'Open warnings' })
  await expect(openWarnings.getByRole('listitem')).toContainText('Insulation fault')
  await expect(openWarnings).toContainText('Touching metal parts can be dangerous.')
  await expect(page.getByRole('meter', { name: 'State of charge' })).toHaveAttribute('aria-valuetext', '63.5%')
  await expect(page.getByText(/^Measured /)).toBeVisible()
  const main = page.getByRole('main')
  await expect(main.getByText('700 Wh')).toBeVisible()
  await expect(main).not.toContainText(board.code)
  expect(calls.filter((call) => !/auth|dashboard|events|device|locales/.test(call))).toEqual([])

  await page.evaluate(() => localStorage.setItem('ess-console.language', 'ru'))
  await page.reload()
  await expect(page.getByRole('list', { name: 'Открытые предупреждения' })).toContainText('Нарушение изоляции')
  await expect(page.getByRole('img', { name: /^Потоки энергии\. Солнце: 3,00 кВт/ })).toBeVisible()
  expect(await seriousFaults(page)).toEqual([])
})

for (const language of ['en', 'ru']) {
  test(`no word of a figure is broken in two, on a wide screen and on a phone: ${language}`, async ({ as, page: own }) => {
    await own.addInitScript((chosen) => localStorage.setItem('ess-console.language', chosen), language)
    const page = await as('admin')
    const rows = page.locator('.dash-row')
    await expect(rows.first()).toBeVisible()
    for (const size of [1440, 1024, 390]) {
      await page.setViewportSize({ width: size, height: 900 })
      expect([size, await rows.evaluateAll(brokenWords)]).toEqual([size, []])
    }
  })
}

test('an installer sees what is left to do at the systems that he puts up', async ({ as }) => {
  const page = await as('installer')
  await expect(page.getByText(/\d of 6 done/).first()).toBeVisible()
  await expect(page.getByText('A board is attached').first()).toBeVisible()
  await expect(page.getByRole('main').getByRole('link')).toHaveCount(0)
})

for (const role of ['admin', 'client', 'installer'] as const) {
  test(`the first page of a ${role} fits a phone, in Russian and in the dark`, async ({ as, page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.addInitScript(() => localStorage.setItem('ess-console.language', 'ru'))
    await as(role)
    await expect(page.getByRole('heading', { level: 1, name: 'Сводка' })).toBeVisible()
    await expect(page.getByText(/\d\d:\d\d:\d\d/).first()).toBeVisible()
    expect(await width(page)).toBe(0)
    const text = (await page.getByRole('main').textContent()) ?? ''
    expect(text.match(/\b(?:ESS|Board|Unknown|Firmware|Connection|Yours|Shared)\b(?!-)/g) ?? []).toEqual([])
  })
}
