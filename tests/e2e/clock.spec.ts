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
