import { test as base, expect } from './support/console.ts'
import { startFleet } from './support/live-server.ts'

/** A server of its own: the fleet that goes is the one that other tests read. */
const test = base.extend({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's form
    async ({}, use) => {
      const server = await startFleet()
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

test('the demo fleet goes by one word, and comes back for a number', async ({ as, api, calls }) => {
  const page = await as('admin', '/filling/demo')
  await page.getByRole('button', { name: 'Remove fleet' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('200 systems')
  await expect(dialog.getByRole('button', { name: 'Remove fleet' })).toBeDisabled()
  expect(calls.filter((call) => /^(?:POST|DELETE) /.test(call) && call.includes('/api/demo'))).toEqual([])
  await dialog.getByRole('textbox').fill('demo')
  await dialog.getByRole('button', { name: 'Remove fleet' }).click()
  await expect(page.getByText('There is no demo fleet')).toBeVisible({ timeout: 30_000 })
  await page.getByRole('textbox', { name: 'Systems' }).fill('501')
  await expect(page.getByRole('button', { name: 'Create fleet' })).toBeDisabled()
  await page.getByRole('textbox', { name: 'Systems' }).fill('200')
  await page.getByRole('textbox', { name: 'Days of history' }).fill('11')
  await expect(page.getByText('Use a whole number from 1 to 10')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create fleet' })).toBeDisabled()
  await page.getByRole('textbox', { name: 'Days of history' }).fill('2')
  await page.getByRole('checkbox', { name: 'Faults' }).uncheck()
  await page.getByRole('button', { name: 'Create fleet' }).click()
  await dialog.getByRole('button', { name: 'Create fleet' }).click()
  await expect(page.getByRole('button', { name: 'Remove fleet' })).toBeVisible({ timeout: 30_000 })
  expect(await (await api('admin')).total('ess?_end=1&code_like=ESS-')).toBe(200)
})
