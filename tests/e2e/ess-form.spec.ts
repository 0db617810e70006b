import type { Page } from '@playwright/test'
import { expect, test } from './support/console.ts'
import { choose, expectFault, fact, notice, number, search, text } from './support/form.ts'
import { hold } from './support/hold.ts'
import { essCode, newEss } from './support/records.ts'

/** Everything that an ESS must have. */
async function fill(page: Page, code: string) {
  await text(page, 'Code').fill(code)
  await text(page, 'Name').fill('House at the lake')
  await choose(page, 'Profile', 'Home')
  await choose(page, 'Chemistry', 'NMC')
  await number(page, 'Rated energy').fill('12000')
  await number(page, 'Charge power').fill('4000')
  await number(page, 'Discharge power').fill('4000')
  await search(page, 'Time zone', 'Europe/Berlin')
}

const save = (page: Page) => page.getByRole('button', { name: /^(Create|Save)$/ }).click()

test('an ESS is created from its form, and its page shows what the server keeps', async ({ as, calls, api }) => {
  const code = essCode()
  const page = await as('admin', '/ess')
  await page.getByRole('link', { name: 'Create' }).click()
  await fill(page, code)
  await search(page, 'Installer', 'installer@example.com')
  await save(page)
  await expect(page.getByRole('heading', { name: code, level: 1 })).toBeVisible()
  await expect(notice(page, `Created: ${code}`)).toBeVisible()
  await expect(fact(page, 'Rated energy')).toHaveText('12.0 kWh')
  await expect(fact(page, 'Installer')).toHaveText('Ines Installer')
  await expect(fact(page, 'Lifecycle')).toHaveText('Planned')
  expect(calls.filter((call) => call.startsWith('POST /api/ess'))).toEqual(['POST /api/ess'])
  const stored = await (await api('admin')).first(`ess?code=${code}`)
  expect(stored).toMatchObject({ chemistry: 'NMC', ratedEnergyWh: 12_000, location: { timezone: 'Europe/Berlin' }, version: 1 })
  expect(page.url()).toContain(stored.id)
})

test('everything that is wrong is said at once, the focus goes to the first, and nothing is sent', async ({ as, calls }) => {
  const page = await as('admin', '/ess/create')
  await text(page, 'Name').fill('House at the lake')
  await text(page, 'Code').fill('no')
  await number(page, 'Rated energy').fill('5')
  await save(page)
  await expect(text(page, 'Code')).toBeFocused()
  await expectFault(text(page, 'Code'), /expected form/)
  await expectFault(number(page, 'Rated energy'), /Must be 1,000 Wh or more/)
  await expectFault(number(page, 'Charge power'), /required/)
  const summary = page.getByRole('alert')
  await expect(summary).toContainText('Please correct 6 fields')
  await summary.getByRole('link', { name: 'Discharge power' }).click()
  await expect(number(page, 'Discharge power')).toBeFocused()
  await number(page, 'Rated energy').fill('5000')
  await expect(number(page, 'Rated energy')).not.toHaveAttribute('aria-invalid', 'true')
  expect(calls.filter((call) => call.startsWith('POST /api/ess'))).toEqual([])
})

test('a record whose answer was lost on the way is made once when it is saved again', async ({
  as,
  api,
  page: own,
  complaints,
}) => {
  complaints.allow(/Failed to load resource/)
  let isLost = true
  await own.route('**/api/ess', async (route) => {
    if (route.request().method() !== 'POST' || !isLost) return route.continue()
    isLost = false
    await route.fetch()
    return route.abort()
  })
  const code = essCode()
  const page = await as('admin', '/ess/create')
  await fill(page, code)
  await save(page)
  await expect(page.getByRole('alert').first()).toBeVisible()
  await expect(text(page, 'Code')).toHaveValue(code)
  await save(page)
  await expect(page.getByRole('heading', { name: code, level: 1 })).toBeVisible()
  expect(await (await api('admin')).total(`ess?code=${code}`)).toBe(1)
})

test('a rule across fields is told where it belongs', async ({ as }) => {
  const page = await as('admin', '/ess/create')
  await fill(page, essCode())
  await text(page, 'Installed').fill('2026-05-01')
  await text(page, 'Warranty until').fill('2026-04-01')
  await save(page)
  await expectFault(text(page, 'Warranty until'), /The warranty ends after the installation/)
  await expect(text(page, 'Warranty until')).toBeFocused()
})

test('what only the server can know lands on its field, and nothing typed is lost', async ({ as, api }) => {
  const taken = await newEss(await api('admin'))
  const page = await as('admin', '/ess/create')
  await fill(page, String(taken.code))
  await save(page)
  await expectFault(text(page, 'Code'), /taken|already|exists/i)
  await expect(text(page, 'Code')).toBeFocused()
  await expect(notice(page, 'Oops! Error')).toHaveCount(1)
  await expect(text(page, 'Name')).toHaveValue('House at the lake')
  await expect(number(page, 'Rated energy')).toHaveValue('12000')
  const free = essCode()
  await text(page, 'Code').fill(free)
  await save(page)
  await expect(page.getByRole('heading', { name: free, level: 1 })).toBeVisible()
})

test('editing sends what was changed and the version that was read', async ({ as, api, page: own }) => {
  const ess = await newEss(await api('admin'))
  const bodies: unknown[] = []
  own.on('request', (request) => {
    if (request.method() === 'PUT') bodies.push(request.postDataJSON())
  })
  const page = await as('admin', `/ess/${ess.id}`)
  await page.getByRole('link', { name: 'Edit' }).click()
  await expect(text(page, 'Code')).toBeHidden()
  await text(page, 'Name').fill('  Another name ')
  await text(page, 'Notes').fill('Ring twice')
  await save(page)
  await expect(fact(page, 'Name')).toHaveText('Another name')
  await expect(fact(page, 'Notes')).toHaveText('Ring twice')
  await expect(page.getByText('Version 2')).toBeVisible()
  expect(bodies).toEqual([{ name: 'Another name', notes: 'Ring twice', version: 1 }])
})

test('a second press on Save while the first is on its way sends nothing more', async ({ as, api, calls, page: own }) => {
  const ess = await newEss(await api('admin'))
  await own.route(`**/api/ess/${ess.id}`, async (route) => {
    if (route.request().method() === 'PUT') await new Promise((resolve) => setTimeout(resolve, 600))
    await route.continue()
  })
  const page = await as('admin', `/ess/${ess.id}/edit`)
  await text(page, 'Name').fill('Pressed twice')
  await text(page, 'Name').press('Enter')
  await page.keyboard.press('Control+s')
  await expect(fact(page, 'Name')).toHaveText('Pressed twice')
  expect(calls.filter((call) => call === `PUT /api/ess/${ess.id}`)).toHaveLength(1)
})

test('one press on the button is enough, although leaving the field brings a message that moves the button', async ({ as }) => {
  const page = await as('admin', '/user/create')
  await text(page, 'E-mail').fill('no address')
  const button = page.getByRole('button', { name: 'Create' })
  await button.scrollIntoViewIfNeeded()
  await button.click({ delay: 150 })
  await expectFault(text(page, 'First name'), /required/)
})

test('a model comes first: it fills in the nameplate, and leaves what was typed before; the zone is the viewer’s', async ({
  as,
  api,
}) => {
  const admin = await api('admin')
  const name = `Hut ${essCode()}`
  const plate = {
    profile: 'HOME',
    chemistry: 'NMC',
    ratedEnergyWh: 9_600,
    ratedChargePowerW: 4_800,
    ratedDischargePowerW: 4_700,
  }
  await admin.send('POST', 'ess-model', { manufacturer: 'Ohm', model: name, cellsInSeries: 14, ...plate })
  const code = essCode()
  const page = await as('admin', '/ess/create')
  await expect(page.locator('form label').first()).toContainText('Model from the list')
  await text(page, 'Code').fill(code)
  await text(page, 'Name').fill('House at the lake')
  await number(page, 'Discharge power').fill('4000')
  await search(page, 'Model from the list', name)
  await expect(text(page, 'Manufacturer')).toHaveValue('Ohm')
  await expect(number(page, 'Rated energy')).toHaveValue(/^9.?600$/)
  await expect(number(page, 'Discharge power')).toHaveValue(/^4.?000$/)
  await expect(page.getByText('Different from the list and left as they are: Discharge power.')).toBeVisible()
  await save(page)
  await expect(page.getByRole('heading', { name: code, level: 1 })).toBeVisible()
  expect(await admin.first(`ess?code=${code}`)).toMatchObject({
    manufacturer: 'Ohm',
    model: name,
    profile: 'HOME',
    chemistry: 'NMC',
    ratedEnergyWh: 9_600,
    ratedDischargePowerW: 4_000,
    cellsInSeries: 14,
    location: { timezone: 'Europe/Moscow' },
  })
})

test('a form shows a stand-in for its inputs as long as they are on their way', async ({ as }) => {
  const page = await as('admin', '/ess')
  const arrive = await hold(page, '**/assets/antd-*.js')
  await page.goto('/ess/create')
  await expect(page.getByRole('button', { name: 'Create' })).toBeVisible()
  await expect(page.locator('form .ui-skeleton').first()).toBeVisible()
  arrive()
  await expect(text(page, 'Code')).toBeVisible()
  await expect(page.locator('form .ui-skeleton')).toHaveCount(0)
})
