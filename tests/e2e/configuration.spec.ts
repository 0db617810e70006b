import type { Page } from '@playwright/test'
import { encodeFrame } from '#server/frames/encode-frame.ts'
import type { ApiUser } from './support/api-user.ts'
import { seriousFaults } from './support/axe.ts'
import { expect, test } from './support/console.ts'
import { dialog, fact, notice, number, text } from './support/form.ts'
import { TalkingBoard } from './support/talking-board.ts'

type Values = Record<string, unknown>
type Configuration = { desired: Values; desiredVersion: number; state: string }

/** A board at a site of its own, with its side of the configuration. */
async function newConfiguredBoard(admin: ApiUser, url: string) {
  const board = await TalkingBoard.attach(admin, url)
  const path = `control-pcb/${board.id}/configuration`
  const read = () => admin.get<Configuration>(path)
  const wish = async (change: Values, more: Values = {}) => {
    const { desired, desiredVersion } = await read()
    await admin.send('PUT', path, { baseVersion: desiredVersion, desired: { ...desired, ...change }, ...more })
  }
  const says = (values: Values) =>
    board.send(encodeFrame({ type: 'CONFIG_ACK', seq: seqOf(), uid: board.uid, time: new Date(), values: values as never }))
  let seq = 100
  const seqOf = () => {
    seq += 1
    return seq
  }
  /** The board takes the newest version and says so; `change` is what it runs with all the same. */
  const takes = async (change: Values = {}) => {
    const { desired, desiredVersion } = await read()
    await says({ configVersion: desiredVersion, result: 'APPLIED', configuration: { ...desired, ...change } })
  }
  const drifts = async (change: Values) => {
    const { desired, desiredVersion } = await read()
    await says({ configVersion: desiredVersion, result: 'REPORTED', configuration: { ...desired, ...change } })
  }
  return { board, read, wish, says, takes, drifts, address: `/control-pcb/${board.id}/configuration` }
}

const values = (page: Page) => page.getByRole('table', { name: 'Values' })
const row = (page: Page, name: string) =>
  values(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name, exact: true }) })
const version = (page: Page, number: number) => page.getByRole('article', { name: `Version ${number}`, exact: true })
const edit = (page: Page) => page.getByRole('button', { name: 'Edit configuration' })
const save = (page: Page) => dialog(page).getByRole('button', { name: 'Edit configuration' })

test('both sides of a configuration stand side by side, and news of the board arrives by itself', async ({
  as,
  api,
  server,
}) => {
  const configured = await newConfiguredBoard(await api('admin'), server.url)
  const page = await as('admin', `/control-pcb/${configured.board.id}`)
  await page.getByRole('link', { name: 'Compare and history' }).click()
  await expect(page.getByText(/Version 1 has been waiting for the board for/)).toContainText('The board is offline')
  await expect(row(page, 'Highest charge').getByRole('cell').nth(1)).toHaveText('not reported yet')

  await configured.takes()
  await expect(page.getByText('The board runs with the desired configuration: version 1.')).toBeVisible()
  await expect(row(page, 'Highest charge').getByRole('cell')).toHaveText(['100%', '100%', '100%'])
  await expect(version(page, 1)).toContainText('Applied')

  await configured.drifts({ socMaxPct: 80 })
  await expect(page.getByText('Someone changed it at the board: Highest charge.')).toBeVisible()
  await expect(row(page, 'Highest charge').getByRole('cell')).toHaveText(['100%', /80%.*differs/, '100%'])
  await page.getByRole('checkbox', { name: 'Only differences (1)' }).check()
  await expect(values(page).getByRole('rowheader')).toHaveText(['Operation', 'Highest charge'])
  expect(await seriousFaults(page)).toEqual([])

  const slot = { days: ['1', '2'], from: '23:00', to: '06:00', mode: 'TIME_OF_USE', powerW: null, targetSocPct: 80 }
  await configured.wish({ socMinPct: 15, schedule: [slot] })
  await configured.says({ configVersion: 2, result: 'REJECTED', rejectReason: 'flash is worn' })
  await expect(page.getByRole('alert')).toContainText(
    'The board refused version 2: “flash is worn”. It keeps running version 1.',
  )
  await expect(version(page, 2)).toContainText('Rejected')
  await page.getByRole('checkbox', { name: /Only differences/ }).uncheck()
  await expect(row(page, 'Schedule').getByRole('cell').first()).toHaveText(
    'Days Mon, Tue, From 23:00, To 06:00, Mode Time of use, Target charge 80%',
  )
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  expect(await seriousFaults(page)).toEqual([])
})

test('what a person set at the board is kept, or the desired values are sent again', async ({ as, api, server }) => {
  const configured = await newConfiguredBoard(await api('admin'), server.url)
  await configured.takes()
  await configured.drifts({ socMaxPct: 80 })
  const page = await as('admin', configured.address)
  await page.getByRole('button', { name: 'Keep what the board runs with' }).click()
  await expect(
    dialog(page)
      .getByRole('row', { name: /Highest charge/ })
      .getByRole('cell'),
  ).toHaveText(['100%', '80%'])
  await dialog(page).getByRole('button', { name: 'Keep what the board runs with' }).click()
  await expect(notice(page, 'The configuration is saved')).toBeVisible()
  await expect(version(page, 2)).toContainText('As set at the board')
  expect(await configured.read()).toMatchObject({ desiredVersion: 2, desired: { socMaxPct: 80 } })

  await configured.takes()
  await configured.drifts({ socMaxPct: 70 })
  await page.getByRole('button', { name: 'Send the desired one again' }).click()
  await expect(dialog(page)).toContainText('The board gets the same values once more')
  await dialog(page).getByRole('button', { name: 'Send the desired one again' }).click()
  await expect(version(page, 3)).toContainText('The same values.')
  expect(await configured.read()).toMatchObject({ desiredVersion: 3, state: 'PENDING', desired: { socMaxPct: 80 } })
})

test('a protective limit is changed by typing the code of the board, and nothing else is asked for that', async ({
  as,
  api,
  server,
}) => {
  const configured = await newConfiguredBoard(await api('admin'), server.url)
  const page = await as('admin', configured.address)
  await edit(page).click()
  await number(dialog(page), 'Lowest charge').fill('12')
  await expect(text(dialog(page), 'Code of the board')).toBeHidden()
  await number(dialog(page), 'Highest cell voltage').fill('3600')
  const code = text(dialog(page), 'Code of the board')
  await expect(code).toBeVisible()
  await save(page).click()
  await expect(code).toHaveAttribute('aria-invalid', 'true')
  await code.fill('PCB-000000')
  await save(page).click()
  await expect(code).toHaveAccessibleDescription(new RegExp(`Type ${configured.board.code} exactly`))
  expect((await configured.read()).desiredVersion).toBe(1)
  await number(dialog(page), 'Highest cell voltage').fill('3550')
  await expect(code).toBeHidden()
  await number(dialog(page), 'Highest cell voltage').fill('3600')
  await code.fill(configured.board.code)
  await save(page).click()
  await expect(notice(page, 'The configuration is saved')).toBeVisible()
  expect(await configured.read()).toMatchObject({ desiredVersion: 2, desired: { socMinPct: 12, cellVoltageMaxMv: 3600 } })
})

test('the history says who changed what, and an older version is made the desired one again', async ({ as, api, server }) => {
  const admin = await api('admin')
  const configured = await newConfiguredBoard(admin, server.url)
  await configured.wish({ socMinPct: 12, chargeTempMaxC: 45 }, { reason: 'Hot cellar', confirmCode: configured.board.code })
  await configured.wish({ socMinPct: 14 }, { reason: 'Longer nights' })
  const page = await as('admin', configured.address)
  await expect(version(page, 3)).toContainText('Longer nights')
  await expect(
    version(page, 3)
      .getByRole('row', { name: /Lowest charge/ })
      .getByRole('cell'),
  ).toHaveText(['12%', '14%'])
  await expect(version(page, 2)).toContainText('Replaced before it was applied')
  await version(page, 2).locator('summary', { hasText: 'Against version 1: 2' }).click()
  await expect(
    version(page, 2)
      .getByRole('table', { name: /Against version 1/ })
      .getByRole('rowheader'),
  ).toHaveText(['Lowest charge', /Charge up to/])
  await version(page, 1).locator('summary', { hasText: '2 differences from the desired one' }).click()
  await expect(
    version(page, 1)
      .getByRole('row', { name: /Charge up to/ })
      .getByRole('cell'),
  ).toHaveText([/45.°C/, /50.°C/])

  await version(page, 1).getByRole('button', { name: 'Make this the desired one' }).click()
  const confirm = dialog(page).getByRole('button', { name: 'Make this the desired one' })
  await expect(dialog(page).getByRole('rowheader')).toHaveText(['Lowest charge', /Charge up to/])
  await expect(confirm).toBeDisabled()
  await text(dialog(page), 'Reason').fill('Cellar is cooled')
  await text(dialog(page), 'Code of the board').fill(configured.board.code)
  expect(await seriousFaults(page)).toEqual([])

  // Another person saves first: typed values stay, and the list of changes is computed again.
  await configured.wish({ backupReservePct: 40 })
  await confirm.click()
  await expect(dialog(page)).toContainText('Someone else has changed the configuration meanwhile')
  await expect(dialog(page).getByRole('rowheader')).toHaveText(['Lowest charge', 'Backup reserve', /Charge up to/])
  await expect(text(dialog(page), 'Reason')).toHaveValue('Cellar is cooled')
  await confirm.click()
  await expect(notice(page, 'The configuration is saved')).toBeVisible()
  await expect(version(page, 5)).toContainText('Cellar is cooled')
  expect(await configured.read()).toMatchObject({
    desiredVersion: 5,
    desired: { socMinPct: 10, backupReservePct: 20, chargeTempMaxC: 50 },
  })
})

test('of two editors the second chooses value by value, and loses nothing that he has typed', async ({ as, api, server }) => {
  const configured = await newConfiguredBoard(await api('admin'), server.url)
  const page = await as('admin', configured.address)
  await edit(page).click()
  await number(dialog(page), 'Lowest charge').fill('12')
  await number(dialog(page), 'Backup reserve').fill('35')
  await text(dialog(page), 'Reason').fill('Longer nights')
  await configured.wish({ socMinPct: 16, socMaxPct: 90 })
  // News arrive under the open form and leave it alone.
  await expect(number(dialog(page), 'Lowest charge')).toHaveValue('12')
  await save(page).click()
  const conflict = dialog(page).getByRole('group', { name: 'Lowest charge' })
  await expect(dialog(page).getByRole('group', { name: /charge|reserve/i })).toHaveCount(1)
  await expect(conflict.getByRole('radio', { name: /Yours.*12/ })).toBeChecked()
  await conflict.getByRole('radio', { name: /Saved meanwhile.*16/ }).check()
  expect(await seriousFaults(page)).toEqual([])
  await dialog(page).getByRole('button', { name: 'Take the choice' }).click()
  await expect(number(dialog(page), 'Lowest charge')).toHaveValue('16')
  await expect(number(dialog(page), 'Backup reserve')).toHaveValue('35')
  await expect(text(dialog(page), 'Reason')).toHaveValue('Longer nights')
  await save(page).click()
  await expect(notice(page, 'The configuration is saved')).toBeVisible()
  expect(await configured.read()).toMatchObject({
    desiredVersion: 3,
    desired: { socMinPct: 16, socMaxPct: 90, backupReservePct: 35 },
  })
})

test('a moderator sees protective limits with the reason why he may not change them', async ({ as, api, server }) => {
  const configured = await newConfiguredBoard(await api('admin'), server.url)
  await configured.wish({ chargeTempMaxC: 45 }, { confirmCode: configured.board.code })
  const page = await as('moderator', configured.address)
  await edit(page).click()
  const limit = dialog(page).getByRole('status', { name: 'Highest cell voltage' })
  await expect(limit).toHaveText(/3.?550.mV/)
  await expect(limit).toHaveAccessibleDescription(/Only an admin changes it/)
  await expect(number(dialog(page), 'Highest cell voltage')).toHaveCount(0)
  expect(await seriousFaults(page)).toEqual([])
  await number(dialog(page), 'Lowest charge').fill('12')
  await save(page).click()
  await expect(notice(page, 'The configuration is saved')).toBeVisible()
  await expect(fact(page, 'Desired version')).toHaveText('3')

  await version(page, 1).getByRole('button', { name: 'Make this the desired one' }).click()
  await expect(dialog(page)).toContainText('Protective values differ. Only an admin changes it')
  await expect(dialog(page).getByRole('button', { name: 'Make this the desired one' })).toBeDisabled()
})
