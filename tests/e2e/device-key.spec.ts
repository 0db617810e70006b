import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { seriousFaults } from './support/axe.ts'
import { expect, test } from './support/console.ts'
import { dialog, fact, notice, text } from './support/form.ts'
import { newBoard } from './support/records.ts'
import { sendFrames } from './support/talking-board.ts'

const more = (page: Page) => page.getByRole('button', { name: 'More actions' })
const field = (page: Page) => text(dialog(page), 'Device key')

/** Makes a key by the keyboard alone, and leaves the dialog open that shows it. */
async function makeKey(page: Page, isFirst: boolean): Promise<string> {
  await more(page).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Create key' }).press('Enter')
  await expect(dialog(page)).toContainText('shown only once')
  await expect(dialog(page).getByText('stops working immediately')).toHaveCount(isFirst ? 0 : 1)
  // A dialog takes the focus some frames after it is there: a key that is pressed before may reach Cancel.
  await expect(dialog(page).locator('[data-autofocus]')).toBeFocused()
  await dialog(page).getByRole('button', { name: 'Create key' }).press('Enter')
  await expect(field(page)).toBeFocused()
  return field(page).inputValue()
}

test('a board that was registered in the console gets its key there, and reports with it', async ({
  as,
  api,
  server,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const board = await newBoard(await api('admin'))
  const page = await as('admin', `/control-pcb/${board.id}`)
  await expect(fact(page, 'Connection')).toHaveText('Never seen')
  const key = await makeKey(page, true)
  expect(key).toMatch(/^[\w-]{43}$/)
  const command = await text(dialog(page), 'Try it').inputValue()
  expect(command).toBe(`curl -sS ${server.url}/api/device/v1/state -H 'X-Device-Key: ${key}'`)
  await expect(notice(page, 'The board has a new key')).toBeVisible()
  await expect(field(page)).toHaveAccessibleDescription(/only this once.*X-Device-Key/)
  expect(await seriousFaults(page)).toEqual([])
  // A stray press beside it does not take it away: nobody can show it again.
  await page.mouse.click(5, 400)
  await dialog(page).getByRole('button', { name: 'Copy' }).first().press('Enter')
  await expect(dialog(page).getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toContainText('Store it, then press')
  await dialog(page).getByRole('button', { name: 'Close' }).press('Enter')
  await expect(field(page)).toHaveValue(key)
  await dialog(page).getByRole('button', { name: 'I have stored it' }).press('Enter')
  await expect(dialog(page)).toBeHidden()
  await expect(more(page)).toBeFocused()
  expect(await page.content()).not.toContain(key)
  await expect(fact(page, 'Made')).toContainText(/sec|now|min/)
  await expect(fact(page, 'Last used')).toHaveText('Never')

  const uid = String(board.uid)
  const first = await sendFrames(server.url, key, telemetryFrame({}, { seq: 1, time: new Date(), uid }))
  expect(first.status).toBe(202)
  await expect(fact(page, 'Connection')).toHaveText('Online')

  const other = await makeKey(page, false)
  expect(other).not.toBe(key)
  await dialog(page).getByRole('button', { name: 'I have stored it' }).click()
  const frame = telemetryFrame({}, { seq: 2, time: new Date(), uid })
  expect((await sendFrames(server.url, key, frame)).status).toBe(403)
  expect((await sendFrames(server.url, other, frame)).status).toBe(202)
})

test('a key is for admins to make', async ({ as, api }) => {
  const board = await newBoard(await api('admin'))
  const page = await as('moderator', `/control-pcb/${board.id}`)
  await more(page).click()
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Create key' })).toBeHidden()
})

test('boards that are selected get their next keys at once, as one table that is saved once', async ({ as, api, server }) => {
  const admin = await api('admin')
  const boards = [await newBoard(admin), await newBoard(admin)]
  const page = await as('admin', `/control-pcb?${boards.map(({ code }) => `code=${code}`).join('&')}`)
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('region', { name: 'Selected: 2' }).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Create next key' }).click()
  await dialog(page).getByRole('button', { name: 'Create next key' }).click()
  await expect(dialog(page)).toContainText('Done: 2, failed: 0, skipped: 0')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog(page).getByRole('button', { name: 'Save as CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('control-pcb-deviceKey.csv')
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n').slice(1)
  const keys = new Map(lines.map((line) => line.split(',')).map(([code = '', key = '']) => [code, key]))
  for (const { code, uid } of boards) {
    const frame = telemetryFrame({}, { seq: 1, time: new Date(), uid: String(uid) })
    expect((await sendFrames(server.url, keys.get(String(code)) ?? '', frame)).status).toBe(202)
  }
  await dialog(page).getByRole('button', { name: 'Close' }).last().click()
  await expect(dialog(page)).toBeHidden()
  for (const key of keys.values()) expect(await page.content()).not.toContain(key)
})
