import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from './support/console.ts'

const head = 'Code,Name,Profile,Chemistry,"Rated energy, Wh",Charge power,Discharge power,Time zone,Remark'
const row = (code: string, name = 'House', chemistry = 'LFP') =>
  `${code},${name},Home,${chemistry},10000,5000,5000,Europe/Berlin,none`
const choose = (page: Page, text: string, name = 'systems.csv') =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
const writes = (calls: readonly string[]) =>
  calls.filter((call) => /^(?:POST|DELETE) \/api\/(?:import|demo)/.test(call) && !call.includes('dryRun'))
const figure = (page: Page, name: string) => page.locator('.filling-figures > div').filter({ hasText: name }).locator('dd')

test('is not in the menu; admins find it by its address and by the palette', async ({ as }) => {
  const page = await as('admin')
  await expect(page.getByRole('navigation', { name: 'Main menu' }).getByText('Filling')).toHaveCount(0)
  await page.keyboard.press('Control+K')
  await page.getByRole('combobox', { name: 'Page, record or command' }).fill('filling')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/filling')
  await expect(page.getByRole('heading', { level: 1, name: 'Filling' })).toBeVisible()
})

test('the list of a resource leads an admin to its import where a file can hold its records', async ({ as }) => {
  const page = await as('admin', '/firmware')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Import' })).toHaveCount(0)
  await page.goto('/client')
  await page.getByRole('link', { name: 'Import' }).click()
  await expect(page).toHaveURL('/filling?target=client')
  await expect(page.getByRole('combobox', { name: 'What it holds' })).toHaveValue('client')
})

test('the list of a resource offers a moderator no import', async ({ as }) => {
  const page = await as('moderator', '/ess')
  await expect(page.getByRole('link', { name: 'Create' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Import' })).toHaveCount(0)
})

for (const role of ['moderator', 'service_engineer', 'installer', 'client'] as const) {
  test(`is closed to a ${role}, who asks the server for nothing by trying`, async ({ as, calls }) => {
    const page = await as(role, '/filling/outbox')
    await expect(page.getByRole('heading', { name: /403/ })).toBeVisible()
    expect(calls.filter((call) => /import|outbox|demo-fleet/.test(call))).toEqual([])
    await page.keyboard.press('Control+K')
    await page.getByRole('combobox', { name: 'Page, record or command' }).fill('filling')
    await expect(page.getByRole('option', { name: 'Filling' })).toHaveCount(0)
  })
}

test('a file is mapped, looked at, brought in, and taken back', async ({ as, api, calls }) => {
  const page = await as('admin', '/filling')
  await choose(page, [head, row('E2E-00001'), row('E2E-00002')].join('\r\n'))
  await expect(page.getByRole('combobox', { name: 'Rated energy, Wh' })).toHaveValue('ratedEnergyWh')
  await expect(page.getByRole('combobox', { name: 'Time zone' })).toHaveValue('location.timezone')
  await expect(page.getByRole('combobox', { name: 'Remark' })).toHaveValue('')
  await page.getByRole('button', { name: 'Check the file' }).click()
  await expect(figure(page, 'New')).toHaveText('2')
  expect(writes(calls)).toEqual([])
  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await expect(page.getByText('Done: 2 created')).toBeVisible()
  const admin = await api('admin')
  expect(await admin.total('ess?_end=1&code=E2E-00001&code=E2E-00002')).toBe(2)

  await page.getByRole('link', { name: 'To the jobs' }).click()
  const job = page.getByRole('row').filter({ hasText: 'systems.csv' }).first()
  await expect(job).toContainText('Ada Admin')
  await expect(page.getByRole('columnheader', { name: 'With faults' })).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('columnheader', { name: 'State' })).toBeInViewport({ ratio: 1 })
  await job.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
  await expect(job).toContainText('Undone: 2 removed, 0 restored')
  // The button is gone with the offer: the arrow keys go on in the table.
  await expect(page.getByRole('region', { name: 'Jobs' })).toBeFocused()
  expect(await admin.total('ess?_end=1&code=E2E-00001&code=E2E-00002')).toBe(0)
})

test('faults are told by row and column; the good rows can be taken and the bad ones saved', async ({ as, api }) => {
  const page = await as('admin', '/filling')
  await choose(page, [head, row('E2E-00011'), row('E2E-00012', '', 'WATER'), row('bad code')].join('\n'))
  await page.getByRole('button', { name: 'Check the file' }).click()
  await expect(figure(page, 'With faults')).toHaveText('2')
  const faults = page
    .getByRole('region', { name: 'Faults' })
    .or(page.getByRole('table', { name: 'Faults' }))
    .first()
  await expect(faults.getByRole('row').filter({ hasText: 'Chemistry' })).toContainText('WATER')
  await expect(faults.getByRole('row').filter({ hasText: 'Name' })).toContainText('required')
  await expect(page.getByRole('button', { name: /^Import \d+ rows$/ })).toHaveCount(0)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the rejected rows' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('systems-rejected.csv')
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines[0]).toMatch(/Remark,Reason$/)
  expect(lines[1]).toMatch(/^E2E-00012,.*Chemistry: /)
  await page.getByRole('button', { name: 'Import only the 1 good row' }).click()
  await expect(page.getByText('Done: 1 created')).toBeVisible()
  expect(await (await api('admin')).total('ess?_end=1&code=E2E-00011')).toBe(1)
})

test('a changed choice makes the check void', async ({ as }) => {
  const page = await as('admin', '/filling')
  await choose(page, [head, row('E2E-00021')].join('\n'))
  await page.getByRole('button', { name: 'Check the file' }).click()
  await expect(page.getByRole('button', { name: 'Import 1 row' })).toBeVisible()
  await page.getByRole('combobox', { name: 'Chemistry' }).selectOption('')
  await expect(page.getByRole('button', { name: 'Import 1 row' })).toHaveCount(0)
  await expect(page.getByText('No column fills: Chemistry')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Change records that are there already' }).check()
  await page.getByRole('button', { name: 'Check the file' }).click()
  await expect(figure(page, 'With faults')).toHaveText('1')
})

test('what is no table says why', async ({ as }) => {
  const page = await as('admin', '/filling')
  await choose(page, 'a,b\n"open')
  await expect(page.getByText('A quote opened on line 2 is never closed')).toBeVisible()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'x.csv', mimeType: 'text/csv', buffer: Buffer.from([0xcf, 0xee]) })
  await expect(page.getByText('This is not UTF-8 text')).toBeVisible()
})

test('a Russian spreadsheet is understood in Russian', async ({ as, page }) => {
  await page.addInitScript(() => localStorage.setItem('ess-console.language', 'ru'))
  await as('admin', '/filling')
  await page.getByRole('combobox', { name: 'Что в файле' }).selectOption('control-pcb')
  await choose(page, '\uFEFFКод;Uid;Аппаратная версия\r\nPCB-E2E001;00000E2E0001;B1\r\n')
  await expect(page.getByRole('combobox', { name: 'Аппаратная версия' })).toHaveValue('hardwareRevision')
  await page.getByRole('button', { name: 'Проверить файл' }).click()
  await expect(figure(page, 'Новых')).toHaveText('1')
})

test('a letter is read with its link, which can be copied', async ({ as, api }) => {
  const admin = await api('admin')
  await admin.send('POST', 'user', { email: 'outbox@test.example', role: 'installer', firstName: 'Olga', lastName: 'Out' })
  const page = await as('admin', '/filling/outbox')
  const mail = page.getByRole('row').filter({ hasText: 'outbox@test.example' })
  await mail.getByRole('button', { name: 'Read' }).click()
  await expect(page.getByRole('dialog')).toContainText('/register/complete#token=')
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Copy' })).toBeVisible()
})

test('fits a phone on every tab, in Russian and in the dark', async ({ as, page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.addInitScript(() => localStorage.setItem('ess-console.language', 'ru'))
  await as('admin', '/filling')
  await choose(page, [head, row('E2E-00031', '', 'WATER')].join('\n'))
  await page.getByRole('button', { name: 'Проверить файл' }).click()
  await expect(page.getByRole('button', { name: 'Скачать отклонённые строки' })).toBeVisible()
  for (const tab of ['', '/reference', '/demo', '/jobs', '/outbox']) {
    if (tab) await page.goto(`/filling${tab}`)
    await expect(page.getByRole('heading', { level: 1, name: 'Наполнение' })).toBeVisible()
    await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect({ tab, beyond }).toEqual({ tab, beyond: 0 })
  }
})

test('boards are brought in with device keys, which are saved once', async ({ as }) => {
  const page = await as('admin', '/filling')
  await page.getByRole('combobox', { name: 'What it holds' }).selectOption('control-pcb')
  await choose(page, 'code,uid,hardwareRevision\r\nPCB-00CAFE01,0000CAFE0001,B1', 'boards.csv')
  await page.getByRole('checkbox', { name: 'Create device keys for boards without one' }).check()
  await page.getByRole('button', { name: 'Check the file' }).click()
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await expect(page.getByText('Save the device keys now: they are not shown again.')).toBeVisible()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the device keys' }).click(),
  ])
  const [, line = ''] = (await readFile(await download.path(), 'utf8')).split('\r\n')
  expect(line).toMatch(/^PCB-00CAFE01,0000CAFE0001,[A-Za-z0-9][\w-]{42}$/)
})
