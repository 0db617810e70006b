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
