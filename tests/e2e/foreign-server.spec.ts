import { expect, type Page, test } from '@playwright/test'
import { type ForeignServer, startForeignServer } from './support/foreign-server.ts'
import { fact } from './support/form.ts'

const lifecycles = ['PLANNED', 'COMMISSIONING', 'IN_OPERATION', 'DECOMMISSIONED'] as const

const systems = Array.from({ length: 60 }, (_, index) => ({
  id: String(index + 1),
  code: `FOREIGN-${String(index + 1).padStart(3, '0')}`,
  name: `System ${index + 1}`,
  profile: 'HOME',
  chemistry: 'LFP',
  ratedEnergyWh: 10_000 + ((index * 7919) % 60) * 100,
  ratedChargePowerW: 5_000,
  ratedDischargePowerW: 5_000,
  lifecycle: lifecycles[index % 4],
  connection: index % 3 === 0 ? 'OFFLINE' : 'ONLINE',
  health: 'OK',
  location: { address: 'Somewhere 1', timezone: 'Europe/Berlin' },
  notes: `Written down by another program, ${index + 1}`,
  version: 1,
  createdAt: '2026-01-02T03:04:05.000Z',
  updatedAt: '2026-02-03T04:05:06.000Z',
}))

let foreign: ForeignServer
test.describe.configure({ mode: 'serial', timeout: 60_000 })
test.beforeAll(async () => {
  test.setTimeout(360_000)
  foreign = await startForeignServer({ ess: systems, user: [], client: [], 'control-pcb': [], firmware: [], package: [] })
})
test.afterAll(() => foreign?.stop())

async function open(page: Page, path: string) {
  const record = JSON.stringify({ session: foreign.session(), rev: Date.now(), skewMs: 0 })
  await page.addInitScript((stored) => localStorage.setItem('ess-console.session', stored), record)
  await page.goto(foreign.url + path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

const codes = (page: Page) => page.getByRole('link', { name: /^FOREIGN-/ }).allTextContents()

test('records of another program are listed and paged', async ({ page }) => {
  await open(page, '/ess?limit=25')
  await expect(page.getByText('1–25 of 60')).toBeVisible()
  expect(await codes(page)).toEqual(systems.slice(0, 25).map(({ code }) => code))
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Page 3' }).click()
  await expect(page.getByText('51–60 of 60')).toBeVisible()
  await expect(page.getByRole('link', { name: 'FOREIGN-060' })).toBeVisible()
})

test('they are sorted, searched and filtered by the server', async ({ page }) => {
  await open(page, '/ess?limit=25&columns=code,ratedEnergyWh')
  await page.getByRole('columnheader', { name: 'Rated energy' }).getByRole('button').click()
  const least = systems.toSorted((a, b) => a.ratedEnergyWh - b.ratedEnergyWh)[0]
  await expect(page.getByRole('row').nth(1)).toContainText(least?.code ?? '')
  await page.goto(`${foreign.url}/ess?connection=OFFLINE`)
  await expect(page.getByText(/of 20$/)).toBeVisible()
  await page.goto(`${foreign.url}/ess?lifecycle=PLANNED&lifecycle=IN_OPERATION`)
  await expect(page.getByText(/of 30$/)).toBeVisible()
  await page.goto(`${foreign.url}/ess?q=FOREIGN-042`)
  await expect(page.getByRole('link', { name: 'FOREIGN-042' })).toBeVisible()
  await expect(page.getByText(/of 1$/)).toBeVisible()
})

test('one is opened and changed, and what was not touched stays as it was', async ({ page }) => {
  await open(page, '/ess?q=FOREIGN-007')
  await page.getByRole('link', { name: 'FOREIGN-007' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'FOREIGN-007' })).toBeVisible()
  await expect(fact(page, 'Notes')).toHaveText('Written down by another program, 7')
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Renamed by the console')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(fact(page, 'Name')).toHaveText('Renamed by the console')
  await page.reload()
  await expect(fact(page, 'Name')).toHaveText('Renamed by the console')
  const stored = await (await fetch(`${foreign.url}/api/ess/7`)).json()
  expect(stored).toEqual({ ...systems[6], name: 'Renamed by the console' })
})
