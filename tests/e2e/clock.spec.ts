import { expect, test } from './support/console.ts'

const isRefresh = (call: string) => call === 'POST /api/auth/refresh'

for (const minutes of [-20, 20]) {
  test(`a clock that is ${minutes} minutes off signs nobody out and asks for no token without end`, async ({
    as,
    page,
    calls,
  }) => {
    await page.clock.install({ time: Date.now() + minutes * 60_000 })
    await as('moderator', '/ess?sort=code')
    await expect(page.getByRole('link', { name: 'ESS-000001' })).toBeVisible()
    await expect(page.getByText('Updating token')).toBeHidden()
    await page.waitForTimeout(3_000)
    expect(calls.filter(isRefresh).length).toBeLessThanOrEqual(1)
    await page.reload()
    await expect(page.getByRole('link', { name: 'ESS-000001' })).toBeVisible()
  })
}

for (const days of [-3, 3]) {
  test(`a clock that is ${days} days off changes no time that is shown: the server's clock dates them`, async ({
    as,
    page,
  }) => {
    await page.clock.install({ time: Date.now() + days * 86_400_000 })
    await as('moderator', '/ess?sort=code')
    const row = page.getByRole('row', { name: /ESS-000001/ })
    await expect(row).toContainText('ago')
    await expect(row).not.toContainText(/day|in\s\d/)
    await row.getByRole('link', { name: 'ESS-000001' }).click()
    await expect(page.getByRole('main')).toContainText(/Last signal \d+\s(sec|min) ago/)
  })
}

test('after two hours asleep one renewal is enough, and what was typed is still there', async ({ as, page, calls }) => {
  await page.clock.install()
  await as('moderator', '/ess/create')
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('Before the nap')
  await page.clock.fastForward('02:00:00')
  await expect.poll(() => calls.filter(isRefresh).length).toBe(1)
  await expect(page.getByText('Updating token')).toBeHidden()
  await page.waitForTimeout(2_000)
  expect(calls.filter(isRefresh)).toHaveLength(1)
  await expect(name).toHaveValue('Before the nap')
})
