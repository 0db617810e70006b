import { writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { accounts } from './support/api-user.ts'
import { expect, test } from './support/console.ts'
import { expectFault, fact, number, text } from './support/form.ts'
import { demoPassword } from './support/live-server.ts'
import { newEss } from './support/records.ts'

const unreadable = "The server's answer could not be read. Try again."
const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click()

test('a number field keeps what is no number, and the form is not saved before', async ({ as, api, calls }) => {
  const { id } = await newEss(await api('admin'))
  const page = await as('admin', `/ess/${id}/edit`)
  const energy = number(page, 'Rated energy')
  for (const typed of ['15 kWh', '12.5']) {
    await energy.fill(typed)
    await energy.press('Enter')
    await expectFault(energy, /Use a (?:whole )?number/)
    await expect(energy).toHaveValue(typed)
  }
  expect(calls.filter((call) => call.startsWith('PUT'))).toEqual([])
  await energy.fill('\uff11\uff12 000 Wh')
  await save(page)
  await expect(fact(page, 'Rated energy')).toHaveText('12.0 kWh')
})

test('a save that is answered with nothing is no save, and what was typed stays', async ({ as, api }) => {
  const { id } = await newEss(await api('admin'))
  const page = await as('admin', `/ess/${id}/edit`)
  await text(page, 'Name').fill('Typed once')
  for (const answer of [{ status: 204 }, { status: 200, body: '' }, { status: 200, json: {} }]) {
    await page.route(`**/api/ess/${id}`, (route) => route.fulfill(answer), { times: 1 })
    await save(page)
    await expect(page.getByRole('main').getByText(unreadable)).toBeVisible()
    await expect(text(page, 'Name')).toHaveValue('Typed once')
  }
  await save(page)
  await expect(fact(page, 'Name')).toHaveText('Typed once')
})

test('a sign-in that is answered with nothing is said in words', async ({ page }) => {
  await page.goto('/login')
  await page.route('**/api/auth/login', (route) => route.fulfill({ status: 204 }), { times: 1 })
  await page.getByLabel('E-mail').fill(accounts.admin)
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await page.keyboard.press('Enter')
  await expect(page.getByText(unreadable)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
})

for (const [what, path, call] of [
  ['a list', '/ess', '**/api/ess?**'],
  ['a record', '/ess/1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed', '**/api/ess/1b9d6bcd-*'],
] as const)
  test(`${what} that is answered with something else says so, with a way on`, async ({ as, page: own }) => {
    for (const body of ['null', '{}', '']) {
      await own.route(call, (route) => route.fulfill({ status: 200, contentType: 'application/json', body }))
      const page = await as('admin', path)
      const alert = page.getByRole('main').getByRole('alert').filter({ hasText: unreadable })
      await expect(alert.getByRole('button')).toBeVisible()
      await own.unrouteAll()
    }
  })

for (const [what, spoil] of [
  [
    'is full',
    () => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
    },
  ],
  [
    'and the channel to other tabs are forbidden',
    () => {
      Object.defineProperty(window, 'localStorage', {
        get: () => {
          throw new DOMException('insecure', 'SecurityError')
        },
      })
      window.BroadcastChannel = class {
        constructor() {
          throw new DOMException('insecure', 'SecurityError')
        }
      } as never
    },
  ],
] as const)
  test(`the console works in its tab where the storage ${what}`, async ({ page }) => {
    await page.addInitScript(spoil)
    await page.goto('/login')
    await page.getByLabel('E-mail').fill(accounts.admin)
    await page.getByLabel('Password', { exact: true }).fill(demoPassword)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
    await page.getByRole('link', { name: 'ESS', exact: true }).click()
    await expect(page.getByRole('row').nth(1).getByRole('link').first()).toBeVisible()
  })

test('a file that was changed after it was chosen is told as such', async ({ as, complaints }, info) => {
  complaints.allow(/ERR_UPLOAD_FILE_CHANGED/)
  const file = info.outputPath('fleet.csv')
  await writeFile(file, 'Code,Name\nE2E-1,One')
  const page = await as('admin', '/filling?target=ess')
  await page.locator('input[type=file]').setInputFiles(file)
  const check = page.getByRole('button', { name: 'Check the file' })
  await expect(check).toBeEnabled()
  await writeFile(file, 'Code,Name\nE2E-1,One and more')
  await check.click()
  await expect(page.getByRole('main').getByText('“fleet.csv” has changed since it was chosen')).toBeVisible()
})

test('a page that found no server loads by itself once it is back', async ({ as, page: own, complaints }) => {
  complaints.allow(/ERR_CONNECTION_REFUSED/)
  let isAway = true
  await own.route('**/api/{ready,ess?**}', (route) => (isAway ? route.abort('connectionrefused') : route.fallback()))
  const page = await as('admin', '/ess')
  await expect(page.getByRole('main').getByRole('alert')).toContainText('The data could not be loaded')
  isAway = false
  await expect(page.getByRole('row').nth(1).getByRole('link').first()).toBeVisible({ timeout: 20_000 })
})

test('a page beyond all and an unknown order are said in words', async ({ as }) => {
  const page = await as('admin', '/ess?page=50000&sort=nofield')
  await expect(page.getByText('Not understood in the address and ignored: sort=nofield')).toBeVisible()
  await page.getByRole('link', { name: 'To the first page' }).click()
  await expect(page.getByRole('row').nth(1)).toBeVisible()
})
