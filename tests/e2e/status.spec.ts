import type { Page } from '@playwright/test'
import { warnings } from '#resources/fleet/warnings/warnings.ts'
import { seriousFaults } from './support/axe.ts'
import { expect, test } from './support/console.ts'
import { notice } from './support/form.ts'
import { newEss } from './support/records.ts'
import { TalkingBoard } from './support/talking-board.ts'

/** A board of its own, with the sun at noon: half of it goes into the battery. */
const noon = {
  pvPowerW: 3_000,
  loadPowerW: 1_000,
  batteryPowerW: -1_536,
  batteryCurrentA: -29.5,
  gridPowerW: -464,
  socPct: 63.4,
}
const withBoard = test.extend<{ board: TalkingBoard }>({
  board: async ({ api, server }, use) => {
    const board = await TalkingBoard.attach(await api('admin'), server.url)
    await board.send(board.frame(noon))
    await use(board)
  },
})

const card = (page: Page, name: string) =>
  page.locator('.ui-card').filter({ has: page.getByRole('heading', { name, exact: true }) })
const value = (page: Page, name: string) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name, exact: true }) })
    .getByRole('cell')
    .first()
const fact = (page: Page, name: string) => page.locator('dt', { hasText: new RegExp(`^${name}$`) }).locator('+ dd')
const flow = (page: Page) => page.getByRole('img', { name: /^Energy flow/ })
const runningFlows = (page: Page) =>
  page.locator('.energy-line-run').evaluateAll((lines) => lines.filter((line) => line.getAnimations().length > 0).length)

withBoard('a board says what it measures in words, and when', async ({ as, board }) => {
  const page = await as('service_engineer', `/control-pcb/${board.id}`)
  await expect(flow(page)).toHaveAccessibleName(
    'Energy flow. Solar: 3.00 kW. Grid: export 464 W. Load: 1.00 kW. Battery: charging 1.54 kW.',
  )
  await expect(page.getByRole('meter', { name: 'State of charge' })).toHaveAttribute('aria-valuetext', '63.4%. Reserve 20%')
  await expect(value(page, 'Battery power')).toHaveText('charging 1.54 kW')
  await expect(value(page, 'Charge state')).toHaveText('Discharging')
  await expect(card(page, 'Live values').getByText(/^Measured \d+ \w+ \d{4}, \d\d:\d\d:\d\d/)).toBeVisible()
  await expect(fact(page, 'Cause')).toHaveText('In order')
  await expect(fact(page, 'Received')).toHaveText('1')
  await expect(card(page, 'Open warnings')).toContainText('No warning is open.')
})

withBoard('what a board sends is on the screen without a reload, and so is what follows from it', async ({ as, board }) => {
  const page = await as('admin', `/control-pcb/${board.id}`)
  await expect(value(page, 'State of charge')).toHaveText('63.4%')
  await board.send(
    board.frame({ ...noon, socPct: 63.6, cellVoltageMaxMv: 3_560, eventFlags: 2 ** warnings.INSULATION_FAULT.flag.bit }),
  )
  await expect(value(page, 'State of charge')).toHaveText('63.6%')
  await expect(value(page, 'Highest cell')).toHaveText('3,560 mVout of range')
  await expect(fact(page, 'Received')).toHaveText('2')
  await card(page, 'Open warnings')
    .getByRole('link', { name: /Critical\s*Insulation fault/ })
    .click()
  await expect(page).toHaveURL(/\/telemetry-warning\//)
})

withBoard('packets that are all bad are told apart from silence, with their reasons', async ({ as, api, board, server }) => {
  const other = await TalkingBoard.attach(await api('admin'), server.url)
  const damaged = other.frame()
  damaged[50] = (damaged[50] ?? 0) ^ 1
  await other.send(damaged)
  const page = await as('admin', `/control-pcb/${other.id}`)
  await expect(fact(page, 'Connection')).toHaveText('Offline')
  await expect(fact(page, 'Cause')).toHaveText('Bad data')
  await expect(page.getByText('No current values')).toBeVisible()
  await expect(fact(page, 'Invalid share')).toHaveText('100.0%')
  await card(page, 'Packets of 24 hours')
    .getByRole('link', { name: /Checksum differs/ })
    .click()
  await expect(page).toHaveURL(new RegExp(`/control-pcb/${other.id}/package-control\\?.*reason=CRC_MISMATCH`))
  await expect(page.getByRole('row')).toHaveCount(2)
  expect(board.id).not.toBe(other.id)
})

withBoard('a board is put into quarantine and back', async ({ as, board }) => {
  const page = await as('moderator', `/control-pcb/${board.id}`)
  await page.getByRole('button', { name: 'Put in quarantine' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Put in quarantine' }).click()
  await expect(notice(page, 'The board is in quarantine')).toBeVisible()
  await expect(fact(page, 'Lifecycle')).toHaveText('Quarantined')
  await page.getByRole('button', { name: 'Put back into service' }).click()
  await expect(fact(page, 'Lifecycle')).toHaveText('Active')
})

withBoard('an ESS stands above its tabs as it is now, folded where a list is looked at', async ({ as, board }) => {
  const page = await as('admin', `/ess/${board.essId}`)
  const overview = page.getByRole('region', { name: 'Overview' })
  await expect(flow(page)).toHaveAccessibleName(/Solar: 3\.00 kW/)
  await expect(overview).toContainText('ConnectionOnline')
  await expect(overview).toContainText('ModeSelf-consumption')
  await expect(overview.getByText(/^Measured /)).toBeVisible()
  await expect(fact(page, 'Autonomy')).toHaveText('4 h 27 min')

  await board.send(board.frame({ ...noon, socPct: 63.7, eventFlags: 2 ** warnings.INSULATION_FAULT.flag.bit }))
  await expect(overview.getByRole('meter')).toHaveAttribute('aria-valuetext', /63\.7%/)
  await expect(overview).toContainText('HealthCritical')

  await page.getByRole('link', { name: 'Guests' }).click()
  await expect(overview).toContainText('ConnectionOnline')
  await expect(flow(page)).toHaveCount(0)
  await overview.getByRole('button', { name: 'Show the overview' }).focus()
  await page.keyboard.press('Enter')
  await expect(flow(page)).toBeVisible()
  await expect(overview.getByRole('button', { name: 'Hide the overview', expanded: true })).toBeFocused()

  await overview.getByRole('link', { name: '1', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`/telemetry-warning\\?.*essId=${board.essId}`))
  await expect(page.getByRole('row')).toHaveCount(2)
  await expect(page.getByRole('row').last()).toContainText('Insulation fault')
})

test('above every tab of an ESS stand its name, its owner and its warranty, which warns once it is over', async ({
  as,
  api,
}) => {
  const admin = await api('admin')
  const owner = await admin.first('user/client?status=ACTIVE')
  const ess = await newEss(admin, { name: 'Mill by the river', warrantyUntil: '2091-05-01' })
  await admin.send('PUT', `ess/${ess.id}/owner`, { clientId: owner.id })
  const page = await as('moderator', `/ess/${ess.id}/guest`)
  const overview = page.getByRole('region', { name: 'Overview' })
  await expect(overview).toContainText('Mill by the river')
  await expect(overview).toContainText(/Warranty\s*until .*2091/)
  await expect(overview.locator('.ui-tone-warn')).toHaveCount(0)
  await overview.getByRole('link', { name: String(owner.name) }).click()
  await expect(page).toHaveURL(`/client/${owner.id}`)

  const { version } = await admin.get(`ess/${ess.id}`)
  await admin.send('PUT', `ess/${ess.id}`, { version, warrantyUntil: '2021-05-01' })
  await page.goto(`/ess/${ess.id}/telemetry`)
  await expect(overview.locator('.ui-tone-warn')).toHaveText(/^ended .*2021$/)
})

withBoard('an ESS without a board says so', async ({ as, api }) => {
  const { id } = await (await api('admin')).first('ess?connection=NEVER')
  const page = await as('admin', `/ess/${id}`)
  await expect(page.getByRole('region', { name: 'Overview' })).toContainText(/attach one|no current values/)
})

withBoard('energy runs on the screen, but stands still for those who want no motion', async ({ as, board }) => {
  const page = await as('admin', `/ess/${board.essId}`)
  await expect(flow(page)).toBeVisible()
  await expect.poll(() => runningFlows(page)).toBe(4)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expect.poll(() => runningFlows(page)).toBe(0)
})

for (const colorScheme of ['light', 'dark'] as const) {
  withBoard.describe(`in the ${colorScheme} look`, () => {
    withBoard.use({ colorScheme })

    withBoard('both screens have no serious fault, in Russian either, and fit a phone', async ({ as, board, page: own }) => {
      await own.addInitScript(() => localStorage.setItem('ess-console.language', 'ru'))
      await own.emulateMedia({ reducedMotion: 'reduce' })
      for (const path of [`/control-pcb/${board.id}`, `/ess/${board.essId}`]) {
        const page = await as('admin', path)
        await expect(page.getByRole('img', { name: /^Потоки энергии\. Солнце: 3,00 кВт/ })).toBeVisible()
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
        expect(await seriousFaults(page), path).toEqual([])
        await page.setViewportSize({ width: 390, height: 844 })
        await expect.poll(() => page.evaluate(() => document.scrollingElement?.scrollWidth)).toBe(390)
        await page.setViewportSize({ width: 1280, height: 800 })
      }
    })
  })
}
