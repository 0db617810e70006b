import { seriousFaults } from './support/axe.ts'
import { expect, test } from './support/console.ts'

const cards = [
  { key: 'maintenance', resource: 'ess', query: 'maintenance.until_gte=2026-01-01', count: 1 },
  { key: 'connection', resource: 'ess', query: '', count: 1, by: 'connection', groups: [{ value: 'ONLINE', count: 1 }] },
]

for (const [role, rest] of [
  ['client', '.dash-sites'],
  ['installer', '.dash-cards + *'],
] as const)
  test(`figures stand apart from what is below them on the dashboard of a ${role}`, async ({ as }) => {
    const page = await as(role)
    // No list of the product that this role may open has a figure; a definition may give it one.
    await page.route('**/api/dashboard/summary*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), cards } })
    })
    await page.reload()
    const figures = page.locator('.dash-cards').filter({ has: page.getByRole('heading', { name: 'ESS: Connection' }) })
    const below = page.locator(rest).first()
    await expect(figures).toBeVisible()
    await expect(below).toBeVisible()
    const [above, next] = [await figures.boundingBox(), await below.boundingBox()]
    expect((next?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0)).toBeCloseTo(16, 0)
  })

test('figures stand while the charts of a large fleet are counted, and the charts follow by themselves', async ({ as }) => {
  const page = await as('admin')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  let calls = 0
  await page.route('**/api/dashboard/summary*', async (route) => {
    const response = await route.fetch()
    const summary = await response.json()
    calls += 1
    await route.fulfill({
      response,
      json: calls === 1 ? { ...summary, charts: null, isRefreshing: true } : { ...summary, isRefreshing: false },
    })
  })
  await page.reload()
  const lately = page.getByRole('region', { name: 'The last days' })
  await expect(lately.getByText('The charts are being counted…')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'ESS: Connection' })).toBeVisible()
  expect(await seriousFaults(page)).toEqual([])
  await expect(lately.getByRole('slider', { name: 'Reporting, 7 days' })).toBeVisible()
  await expect(lately.getByText('The charts are being counted…')).toBeHidden()
  expect(calls).toBe(2)
})

test('what needs attention stands in order of its urgency, and leads to the warning', async ({ as, api }) => {
  const page = await as('service_engineer')
  const rows = page.getByRole('list', { name: 'Needs attention' }).getByRole('link')
  await expect(rows.first()).toBeVisible()
  const engineer = await api('service_engineer')
  // Boards of other tests raise and end warnings, too: both are looked at until they are of one moment.
  await expect(async () => {
    await page.reload()
    await expect(rows.first()).toBeVisible()
    const { attention } = await engineer.get<{ attention: { id: string; score: number }[] }>('dashboard/summary')
    const scores = attention.map(({ score }) => score)
    expect(scores.length).toBeGreaterThan(1)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    const shown = await rows.evaluateAll((links) => links.map((link) => link.getAttribute('href')?.split('/').at(-1)))
    expect(shown).toEqual(attention.map(({ id }) => id))
  }).toPass({ timeout: 30_000 })
  await rows.first().click()
  await expect(page).toHaveURL(/\/telemetry-warning\/[\w-]+$/)
})
