import type { Page } from '@playwright/test'
import { warnings } from '#resources/fleet/warnings/warnings.ts'
import type { ApiUser } from './support/api-user.ts'
import { seriousFaults } from './support/axe.ts'
import { test as base, expect } from './support/console.ts'
import { dialog, fact, notice, search, text } from './support/form.ts'
import { TalkingBoard } from './support/talking-board.ts'

const insulation = 2 ** warnings.INSULATION_FAULT.flag.bit
const precharge = 2 ** warnings.PRECHARGE_FAIL.flag.bit

const test = base.extend<{ board: TalkingBoard }>({
  board: async ({ api, server }, use) => {
    const board = await TalkingBoard.attach(await api('admin'), server.url)
    await board.send(board.frame({ eventFlags: insulation, pvPowerW: 3_000, loadPowerW: 1_000, gridPowerW: -464 }))
    await use(board)
  },
})

const warningOf = (admin: ApiUser, board: TalkingBoard, code = 'INSULATION_FAULT') =>
  admin.first(`telemetry-warning?controlPcbId=${board.id}&code=${code}`)
const card = (page: Page, name: string) =>
  page.locator('.ui-card').filter({ has: page.getByRole('heading', { name, exact: true }) })
const region = (page: Page) => page.getByRole('main')

test('a warning is explained in the language of the console, with the values of now', async ({ as, api, board }) => {
  const { id } = await warningOf(await api('admin'), board)
  const page = await as('admin', `/telemetry-warning/${id}`)
  const guide = card(page, 'What it means')
  for (const part of ['Likely causes', 'Check first', 'Safe to do'])
    await expect(guide.getByRole('heading', { name: part })).toBeVisible()
  await expect(guide.getByText('Look whether it began with the sun; solar power now 3.00 kW')).toBeVisible()
  await expect(fact(page, 'State')).toHaveText('Active')
  await expect(fact(page, 'Stays until cleared')).toHaveText('Yes')
  const snapshot = card(page, 'Measured at that moment')
  await expect(snapshot.getByRole('row', { name: /^Load 1\.00 kW/ })).toBeVisible()
  await expect(snapshot.getByRole('row', { name: /^Place of the lowest cell module \d+, cell \d+/ })).toBeVisible()

  await page.evaluate(() => localStorage.setItem('ess-console.language', 'ru'))
  await page.reload()
  const russian = card(page, 'Что это значит')
  await expect(russian.getByRole('heading', { name: 'Вероятные причины' })).toBeVisible()
  await expect(russian.getByText('Началось ли это с восходом солнца; солнце сейчас 3,00 кВт')).toBeVisible()
})

test('a code that the console does not know is told as it came', async ({ as, api, board }) => {
  const admin = await api('admin')
  const { id } = await warningOf(admin, board)
  // As a newer server would answer.
  const answer = { ...(await admin.get(`telemetry-warning/${id}`)), code: 'GREMLINS', subject: 'flags 0x00400000' }
  const page = await as('admin', '/about')
  await page.route(`**/api/telemetry-warning/${id}`, (route) => route.fulfill({ json: answer }))
  await page.goto(`/telemetry-warning/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^GREMLINS · /)
  await expect(card(page, 'Unknown code GREMLINS')).toContainText('flags 0x00400000')
})

test('a measured value stands beside its threshold, and leads to the chart of that time', async ({ as, api, board }) => {
  const hot = { cellTempMinC: 45, cellTempAvgC: 46, cellTempMaxC: 47 }
  const start = Date.now() - 5 * 60_000
  for (const minute of [0, 1, 2, 3]) await board.send(board.frame(hot, { time: new Date(start + minute * 60_000) }))
  const warning = await warningOf(await api('admin'), board, 'OVER_TEMP')
  const page = await as('admin', `/control-pcb/${board.id}/telemetry-warnings`)
  await page
    .getByRole('row', { name: /Battery too hot/ })
    .getByRole('link')
    .first()
    .click()
  await expect(page).toHaveURL(new RegExp(`/control-pcb/${board.id}/telemetry-warning/${warning.id}$`))
  await expect(card(page, 'Measured')).toContainText('Value47 °C')
  await expect(card(page, 'Measured')).toContainText('Threshold45 °C')
  await expect(card(page, 'Measured')).toContainText('2 °C above the threshold')
  await page.getByRole('link', { name: 'Telemetry around that moment' }).click()
  await expect(page).toHaveURL(new RegExp(`/control-pcb/${board.id}/telemetry\\?from=.*&to=.*&at=`))
  await expect(page.getByRole('link', { name: /Battery too hot/ })).toBeVisible()
})

test('a warning is assigned, acknowledged with a note, commented and cleared', async ({ as, api, board }) => {
  const { id } = await warningOf(await api('admin'), board)
  const page = await as('moderator', `/telemetry-warning/${id}`)
  await page.getByRole('button', { name: 'Assign' }).click()
  await search(page, 'Assignee', 'moderator@example.com')
  await dialog(page).getByRole('button', { name: 'Assign' }).click()
  await expect(fact(page, 'Assigned to')).toContainText('Milan Moderator')

  await page.getByRole('button', { name: 'Acknowledge' }).click()
  await text(dialog(page), 'Note').fill('A visit is planned')
  await dialog(page).getByRole('button', { name: 'Acknowledge' }).click()
  await expect(fact(page, 'State')).toHaveText('Active, acknowledged')
  await expect(fact(page, 'Note')).toHaveText('A visit is planned')

  const comments = card(page, 'Comments')
  await text(comments, 'Add a comment').fill('The cellar was wet')
  await comments.getByRole('button', { name: 'Add comment' }).click()
  await expect(comments.getByRole('listitem')).toHaveText(/Milan Moderator.*The cellar was wet/)
  await expect(text(comments, 'Add a comment')).toHaveValue('')

  await region(page).getByRole('button', { name: 'Clear', exact: true }).click()
  await text(dialog(page), 'What was done').fill('Dried and measured')
  await dialog(page).getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(fact(page, 'State')).toHaveText('Over')
  await expect(fact(page, 'Cleared by')).toContainText('Milan Moderator')
  await expect(comments.getByRole('listitem').last()).toContainText('Dried and measured')
  for (const name of ['Clear', 'Acknowledge'])
    await expect(region(page).getByRole('button', { name, exact: true })).toBeHidden()
})

test('many warnings are acknowledged with one note', async ({ as, api, board }) => {
  const admin = await api('admin')
  await board.send(board.frame({ eventFlags: insulation + precharge }))
  const page = await as('admin', `/telemetry-warning?controlPcbId=${board.id}`)
  await expect(page.getByRole('row')).toHaveCount(3)
  for (const box of await page.getByRole('row').getByRole('checkbox').all()) await box.setChecked(true)
  await page.getByRole('region', { name: 'Selected: 2' }).getByRole('button', { name: 'Acknowledge' }).click()
  await expect(dialog(page)).toContainText('Selected: 2')
  await text(dialog(page), 'Note').fill('One visit for both')
  await dialog(page).getByRole('button', { name: 'Acknowledge' }).click()
  await expect(notice(page, 'Acknowledge: done for 2 records')).toBeVisible()
  for (const code of ['INSULATION_FAULT', 'PRECHARGE_FAIL'])
    expect(await warningOf(admin, board, code)).toMatchObject({ acknowledged: true, ackNote: 'One visit for both' })
})

test('an engineer who does not look after the site may comment, and no more', async ({ as, api, board }) => {
  const { id } = await warningOf(await api('admin'), board)
  const page = await as('service_engineer', `/telemetry-warning/${id}`)
  await expect(fact(page, 'State')).toHaveText('Active')
  await expect(region(page).getByText('for engineers who are assigned to the ESS with full rights')).toBeVisible()
  for (const name of ['Acknowledge', 'Assign', 'Clear'])
    await expect(region(page).getByRole('button', { name, exact: true })).toBeHidden()
  const comments = card(page, 'Comments')
  await text(comments, 'Add a comment').fill('Seen from the office')
  await comments.getByRole('button', { name: 'Add comment' }).click()
  await expect(comments.getByRole('listitem')).toHaveText(/Erik Engineer.*Seen from the office/)
})

test('raw packets are captured for a chosen time, and it is said until when', async ({ as, board }) => {
  const page = await as('moderator', `/control-pcb/${board.id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Capture raw packets' }).click()
  await dialog(page).getByRole('button', { name: 'Capture raw packets' }).click()
  await expect(notice(page, 'Packets are captured from now on')).toBeVisible()
  await expect(region(page).getByRole('status').filter({ hasText: 'Raw packets are captured until' })).toContainText(
    /in (59|60) min|in 1 hr/,
  )
  const same = board.frame({ eventFlags: insulation })
  await board.send(same)
  await board.send(same)
  await region(page).getByRole('link', { name: 'All packets' }).first().click()
  await expect(page.getByRole('row', { name: /Duplicate.*Sent again/ })).toBeVisible()
  await page.getByRole('link', { name: 'Status', exact: true }).click()
  await page.getByRole('button', { name: 'Stop capture' }).click()
  await expect(notice(page, 'The capture has ended')).toBeVisible()
  await expect(page.getByText('Raw packets are captured until')).toBeHidden()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in the ${colorScheme} look`, () => {
    test.use({ colorScheme })

    test('the record of a warning has no serious fault, in Russian either, and fits a phone', async ({
      as,
      api,
      board,
      page: own,
    }) => {
      const { id } = await warningOf(await api('admin'), board)
      await own.addInitScript(() => localStorage.setItem('ess-console.language', 'ru'))
      const page = await as('admin', `/telemetry-warning/${id}`)
      await expect(card(page, 'Измерено в тот момент').getByRole('row').nth(3)).toBeVisible()
      expect(await seriousFaults(page)).toEqual([])
      await page.setViewportSize({ width: 390, height: 844 })
      await expect.poll(() => page.evaluate(() => document.scrollingElement?.scrollWidth)).toBe(390)
    })
  })
}

test('a warning of a whole site asks for no board, and nothing fails', async ({ as, api, calls }) => {
  const admin = await api('admin')
  const { id } = await admin.first('telemetry-warning?code=MAINTENANCE_ON&_end=1')
  const page = await as('admin', `/telemetry-warning/${id}`)
  await expect(page.getByRole('heading', { name: 'What it means' })).toBeVisible()
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
  await expect(page.getByText('Oops! Error')).toHaveCount(0)
  expect(calls.filter((call) => call.startsWith('GET /api/control-pcb/'))).toEqual([])
})

const unitHours: Readonly<Record<string, number>> = { d: 24, h: 1, min: 1 / 60, sec: 1 / 3_600 }
/** Hours of a duration in words. */
const hoursIn = (words: string | null) =>
  [...(words ?? '').matchAll(/(\d+)\s*(d|h|min|sec)/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (unitHours[unit ?? ''] ?? 0),
    0,
  )

test('a silence has one length: the beginning and the duration of its warning agree, and no other is shown', async ({
  as,
  api,
}) => {
  const admin = await api('admin')
  const { id, startedAt } = await admin.first('telemetry-warning?code=COMM_LOST&active=true&_sort=startedAt&_order=asc&_end=1')
  const silentH = (Date.now() - Date.parse(String(startedAt))) / 3_600_000
  expect(silentH).toBeGreaterThan(24)
  const page = await as('admin', `/telemetry-warning/${id}`)
  const lasts = fact(page, 'Lasts for')
  await expect(lasts).toBeVisible()
  expect(Math.abs(hoursIn(await lasts.textContent()) - silentH)).toBeLessThan(2)
  await expect(card(page, 'Measured').locator('dl.warning-measured dd')).toHaveCount(0)
})
