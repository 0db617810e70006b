import type { Page } from '@playwright/test'
import { warnings } from '#resources/fleet/warnings/warnings.ts'
import type { ApiUser, Row } from './support/api-user.ts'
import { seriousFaults } from './support/axe.ts'
import { test as base } from './support/clocked-console.ts'
import { expect } from './support/console.ts'
import { dialog, fact, list, notice, openList, pick, search, text } from './support/form.ts'
import { TalkingBoard } from './support/talking-board.ts'

/** The version that boards of these tests begin with: older and newer ones exist. */
const oldVersion = '2.1.5'
const nextVersion = '2.2.0'
const olderVersion = '2.1.3'

const test = base.extend<{ board: TalkingBoard }>({
  board: async ({ api, server }, use) => {
    const board = await TalkingBoard.attach(await api('admin'), server.url)
    await board.send(board.frame({ firmwareVersion: oldVersion }))
    await use(board)
  },
})

const checks = (page: Page) =>
  page.locator('.ui-card').filter({ has: page.getByRole('heading', { name: 'Checks', exact: true }) })
const events = (page: Page) => page.locator('.update-event')
const row = (page: Page, name: string | RegExp) => page.getByRole('row', { name })

async function firmwareOf(admin: ApiUser, board: TalkingBoard, version: string): Promise<string> {
  const offers = await admin.get<Row[]>(`firmware/for-request-update?controlPcbId=${board.id}`)
  const found = offers.find(({ firmwareVersion }) => firmwareVersion === version)
  if (!found) throw new Error(`${version} is not offered`)
  return found.id
}

const requested = async (admin: ApiUser, board: TalkingBoard): Promise<Row> =>
  admin.send('POST', 'firmware-update', {
    controlPcbId: board.id,
    firmwareId: await firmwareOf(admin, board, nextVersion),
  })

const reports = (board: TalkingBoard, id: string, state: string, more = {}) =>
  board.says('FW_PROGRESS', {
    firmwareVersion: oldVersion,
    updateId: id,
    state,
    progressPct: 40,
    toVersion: nextVersion,
    ...more,
  })

test('a request offers newer versions apart from older ones, and tells what stands in its way', async ({ as, api, board }) => {
  const admin = await api('admin')
  await board.send(board.frame({ firmwareVersion: oldVersion, eventFlags: 2 ** warnings.INSULATION_FAULT.flag.bit }))
  const page = await as('admin', `/control-pcb/${board.id}/firmware-updates`)
  await page.getByRole('button', { name: 'Request update' }).click()
  await openList(page, 'Firmware')
  const offered = page.locator('.ant-select-item-group, .ant-select-item-option')
  await expect(offered).toHaveText([
    'Newer than the present version',
    `${nextVersion}Testing`,
    'Older: a downgrade',
    `${olderVersion}Released`,
  ])
  await pick(page, nextVersion)
  await expect(checks(page).getByRole('status')).toHaveText('1 check not passed. Give a reason below to go ahead anyway.')
  await expect(checks(page).getByRole('listitem').filter({ hasText: 'Not passed' })).toHaveText(
    /No critical warning blocks it.*Insulation fault/,
  )
  await expect(checks(page).getByRole('listitem').filter({ hasText: 'does not run this version yet' })).toContainText(
    `it runs ${oldVersion}`,
  )
  expect(await seriousFaults(page)).toEqual([])
  await dialog(page).getByRole('button', { name: 'Request update' }).click()
  await expect(dialog(page)).toContainText(`${board.code} cannot be updated now: A critical warning is open`)

  const warning = await admin.first(`telemetry-warning?controlPcbId=${board.id}&active=true`)
  await admin.send('PUT', `telemetry-warning/${warning.id}/clear`, { note: 'dried' })
  await checks(page).getByRole('button', { name: 'Check again' }).click()
  await expect(checks(page).getByRole('status')).toHaveText('Nothing stands in the way.')
  await dialog(page).getByRole('button', { name: 'Request update' }).click()
  await expect(notice(page, 'The update is requested')).toBeVisible()
  await expect(row(page, new RegExp(`Queued.*${nextVersion}`))).toBeVisible()
})

test('a new update is made for a board that is chosen, with what fits it and the same checks', async ({ as, board }) => {
  const page = await as('moderator', '/firmware-update/create')
  await search(page, 'Control PCB', board.code)
  await openList(page, 'Firmware')
  // An image under test is the admin's alone.
  await expect(page.locator('.ant-select-item-option').filter({ hasText: 'Released' })).toHaveText([`${olderVersion}Released`])
  await expect(page.getByText(nextVersion)).toHaveCount(0)
  await pick(page, olderVersion)
  await expect(checks(page).getByRole('status')).toHaveText('Nothing stands in the way.')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page).toHaveURL(/\/firmware-update\/[\w-]{36}$/)
  await expect(fact(page, 'Kind')).toHaveText('Downgrade')
  await expect(events(page)).toHaveText(/Requested: Queued.*Attempt 1.*Person/)
})

test('a request waits for its window, which the form asks for, and says so in both languages', async ({ as, api, board }) => {
  const admin = await api('admin')
  const path = `control-pcb/${board.id}/configuration`
  const { desired, desiredVersion } = await admin.get<{ desired: Row; desiredVersion: number }>(path)
  const maintenanceWindow = { days: ['6', '7'], from: '22:00', to: '05:30' }
  await admin.send('PUT', path, { baseVersion: desiredVersion, desired: { ...desired, maintenanceWindow } })
  const page = await as('admin', `/control-pcb/${board.id}/firmware-updates`)
  await page.getByRole('button', { name: 'Request update' }).click()
  await openList(page, 'Firmware')
  await pick(page, nextVersion)
  await expect(checks(page).getByRole('listitem').filter({ hasText: 'The board has a maintenance window' })).toContainText(
    'Sat, Sun 22:00–05:30, Asia/Yekaterinburg',
  )
  // Two days from now by the clock of the site: whenever this runs, it is closed.
  const inTwoDays = new Date(Date.now() + 2 * 86_400_000)
  const dayIn = (language: string) =>
    new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'Asia/Yekaterinburg' }).format(inTwoDays)
  await openList(page, 'Days')
  await pick(page, dayIn('en-GB'), true)
  await list(dialog(page), 'Days').press('Escape')
  await text(dialog(page), 'From').fill('1:00')
  await text(dialog(page), 'To').fill('05:00')
  await dialog(page).getByRole('button', { name: 'Request update' }).click()
  await expect(text(dialog(page), 'From')).toHaveAttribute('aria-invalid', 'true')
  await text(dialog(page), 'From').fill('01:00')
  expect(await seriousFaults(page)).toEqual([])
  await dialog(page).getByRole('button', { name: 'Request update' }).click()
  const english = `${dayIn('en-GB')} 01:00–05:00, Asia/Yekaterinburg`
  await expect(row(page, /Queued/).getByRole('cell', { name: english })).toBeVisible()

  await row(page, /Queued/)
    .getByRole('link')
    .first()
    .click()
  const waits = page.locator('.update-wait')
  await expect(waits).toHaveText(new RegExp(`^Waits for its window: ${english}\\. By your clock it opens .+ \\(in .+\\)\\.$`))
  await page.evaluate(() => localStorage.setItem('ess-console.language', 'ru'))
  await page.reload()
  await expect(waits).toHaveText(
    /^Ждёт своего окна: [А-Я][а-я] 01:00–05:00, Asia\/Yekaterinburg\. По вашим часам откроется .+ \(через .+\)\.$/,
  )
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => page.evaluate(() => document.scrollingElement?.scrollWidth)).toBe(390)
})

test('an update goes before the eyes from the queue to success', async ({ as, api, board, clock }) => {
  const admin = await api('admin')
  const { id } = await requested(admin, board)
  const page = await as('admin', `/control-pcb/${board.id}/firmware-updates`)
  await row(page, /Queued/)
    .getByRole('link')
    .first()
    .click()
  await expect(page).toHaveURL(new RegExp(`/control-pcb/${board.id}/firmware-update/${id}$`))
  await expect(page.getByRole('listitem').filter({ hasText: 'Queued' }).first()).toHaveAttribute('aria-current', 'step')
  await expect(fact(page, 'Deadline of this step')).toHaveText(/in 6 days|in 7 days/)

  await reports(board, id, 'DOWNLOADING', { receivedB: 2048 })
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '40')
  await expect(fact(page, 'Loaded')).toHaveText(/^2\.0 KB of /)
  await expect(page.locator('[aria-current=step]')).toHaveText(/^Downloading/)
  for (const state of ['VERIFYING', 'INSTALLING']) await reports(board, id, state)
  await expect(page.locator('[aria-current=step]')).toHaveText(/^Installing/)
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeHidden()
  expect((await admin.call('PUT', `firmware-update/${id}/cancel`)).status).toBe(409)
  await reports(board, id, 'REBOOTING')
  await board.says('BOOT', { firmwareVersion: nextVersion, resetReason: 'FW_UPDATE', previousVersion: oldVersion })
  await expect(page.locator('[aria-current=step]')).toHaveText(/^Confirming/)
  for (let count = 0; count < 3; count += 1) await board.send(board.frame({ firmwareVersion: nextVersion }))
  await expect(fact(page, 'Valid packets with the new version')).toHaveText(/[34]/)

  await clock.pass(11)
  await expect(events(page).last()).toContainText('Confirming → Succeeded', { timeout: 20_000 })
  await expect(events(page).last()).toContainText(/valid packets report 2\.2\.0, and nothing critical came up/)
  await expect(events(page)).toHaveCount(7)
  await expect(page.getByRole('button', { name: 'Try again' })).toBeHidden()
})

test('an update is cancelled, and tried again as the next attempt', async ({ as, api, board }) => {
  const { id } = await requested(await api('admin'), board)
  const page = await as('moderator', `/firmware-update/${id}`)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await dialog(page).getByRole('button', { name: 'Cancel' }).last().click()
  await expect(events(page).last()).toContainText('Queued → Cancelled')
  await expect(page.getByText('The update was cancelled; the board keeps its version.')).toBeVisible()
  // While the firmware is in test, only an admin may retry it.
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(notice(page, /cannot be updated now: The firmware may not be installed \(Testing\)/)).toBeVisible()
  await (await api('admin')).send('POST', `firmware-update/${id}/retry`)
  await page.getByRole('link', { name: /^Attempt 2: Queued$/ }).click()
  await expect(fact(page, 'Attempt')).toHaveText('2 of 3')
  await expect(fact(page, 'Retry of')).toHaveText(nextVersion)
})

test('what stopped an update is said in words of both languages, with what to do', async ({ as, api, board }) => {
  const { id } = await requested(await api('admin'), board)
  await reports(board, id, 'DOWNLOADING')
  await reports(board, id, 'FAILED', { failure: 'FLASH' })
  const page = await as('admin', `/firmware-update/${id}`)
  await expect(page.getByRole('heading', { name: 'Memory could not be written' })).toBeVisible()
  await expect(events(page).last()).toContainText('The board reports “Memory could not be written”')
  await expect(page.getByRole('listitem').filter({ hasText: 'ended here' })).toContainText('Downloading')
  await page.evaluate(() => localStorage.setItem('ess-console.language', 'ru'))
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Ошибка записи в память' })).toBeVisible()
  await expect(events(page).last()).toContainText('Плата сообщает «Ошибка записи в память»')
  await expect(page.getByText('Повторите один раз при стабильном питании')).toBeVisible()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in the ${colorScheme} look`, () => {
    test.use({ colorScheme })

    test('the record of an update has no serious fault and fits a phone', async ({ as, api, board }) => {
      const { id } = await requested(await api('admin'), board)
      await reports(board, id, 'DOWNLOADING')
      const page = await as('admin', `/firmware-update/${id}`)
      await expect(events(page)).toHaveCount(2)
      expect(await seriousFaults(page)).toEqual([])
      await page.setViewportSize({ width: 390, height: 844 })
      await expect.poll(() => page.evaluate(() => document.scrollingElement?.scrollWidth)).toBe(390)
    })
  })
}
