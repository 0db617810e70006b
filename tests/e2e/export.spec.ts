import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from './support/console.ts'

/** Lines and cells of a CSV file as a spreadsheet reads them. */
function readCsv(text: string): string[][] {
  const lines: string[][] = [[]]
  for (const [, quoted, plain, end] of text.replace(/^\uFEFF/, '').matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    if (end === '' && quoted === undefined && plain === '') continue
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\r\n') lines.push([])
  }
  return lines.filter((line) => line.length > 0)
}

async function exported(page: Page, button = 'Export') {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  const file = await download
  return { name: file.suggestedFilename(), lines: readCsv(await readFile(await file.path(), 'utf8')) }
}

/** The cells of the first page as they stand on the screen; the box that selects a row is no column. */
const cellsOf = (page: Page, column: number) =>
  page.locator('.ui-grid tbody tr').evaluateAll(
    (rows, place) =>
      rows.map((row) => {
        const cells = [...row.querySelectorAll('td, th')].filter((cell) => !cell.querySelector('input[type="checkbox"]'))
        return cells[place - 1]?.textContent?.trim()
      }),
    column,
  )

test('the file has the rows, the order and the columns that are on screen, of all pages', async ({ as, api, calls }) => {
  const path = 'lifecycle=IN_OPERATION&profile=HOME'
  const total = await (await api('admin')).total(`ess?${path}&_end=1`)
  const page = await as('admin', `/ess?${path}&sort=-code&columns=code,name,lifecycle,ratedEnergyWh&limit=10`)
  await expect(page.getByRole('row')).toHaveCount(11)
  const { name, lines } = await exported(page)
  expect(name).toMatch(/^ess-\d{4}-\d\d-\d\d\.csv$/)
  const [head, ...rows] = lines
  expect(head).toEqual(['Code', 'Name', 'Lifecycle', 'Rated energy, Wh'])
  expect(rows).toHaveLength(total)
  expect(rows.slice(0, 10).map(([code]) => code)).toEqual(await cellsOf(page, 1))
  expect(rows.slice(0, 10).map(([, called]) => called)).toEqual(await cellsOf(page, 2))
  expect(new Set(rows.map(([, , lifecycle]) => lifecycle))).toEqual(new Set(['In operation']))
  expect(calls.filter((call) => call.includes('/api/export/'))).toHaveLength(1)
})

test.describe('in Russian', () => {
  test.use({ locale: 'ru-RU' })

  test('the file speaks the language of the screen and keeps to the search', async ({ as }) => {
    const page = await as('moderator', '/ess?q=ESS-00001&sort=code')
    await expect(page.getByRole('columnheader', { name: 'Владелец' })).toBeVisible()
    const { lines } = await exported(page, 'Выгрузить')
    expect(lines[0]).toContain('Владелец')
    expect(lines.slice(1).map(([code]) => code)).toEqual(await cellsOf(page, 1))
  })
})

test('a refused export says so as any other call, and the button is free again', async ({ as }) => {
  const page = await as('admin', '/user')
  await page.route('**/api/export/**', (route) =>
    route.fulfill({ status: 429, json: { statusCode: 429, error: 'Too Many Requests', message: 'Later, please', code: 'x' } }),
  )
  await page.getByRole('button', { name: 'Export' }).click()
  await expect(page.locator('.ant-notification-notice')).toContainText('Later, please')
  await expect(page.getByRole('button', { name: 'Export' })).toBeEnabled()
})

test('a list below a record is exported as it stands there, and nothing of other records', async ({ as, api }) => {
  const { id } = await (await api('admin')).first('ess?code=ESS-000001')
  const page = await as('admin', `/ess/${id}/control-pcb?columns=code,lifecycle`)
  await expect(page.getByRole('row')).not.toHaveCount(1)
  const { name, lines } = await exported(page)
  expect(name).toMatch(/^control-pcb-\d{4}-\d\d-\d\d\.csv$/)
  const [head, ...rows] = lines
  expect(head).toEqual(['Code', 'Lifecycle'])
  expect(rows.map(([code]) => code)).toEqual(await cellsOf(page, 1))
})
