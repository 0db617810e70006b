import type { Route } from '@playwright/test'
import { expect, test } from './support/console.ts'
import { choose, dialog, text } from './support/form.ts'

test('a form that is saved without a line says so, and sends nothing once it was left', async ({ as, api, complaints }) => {
  complaints.allow(/ERR_INTERNET_DISCONNECTED/)
  const page = await as('admin', '/user/create')
  await text(page, 'E-mail').fill('left-behind@example.com')
  await choose(page, 'Role', 'Moderator')
  await text(page, 'First name').fill('Lea')
  await text(page, 'Last name').fill('Behind')
  const create = page.getByRole('button', { name: 'Create' })
  await page.context().setOffline(true)
  await create.click()
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(
    'There is no connection to the server. Check the network and try again.',
  )
  await expect(create).toBeEnabled()
  await expect(text(page, 'First name')).toHaveValue('Lea')
  await page.getByRole('link', { name: 'Clients' }).click()
  await dialog(page).getByRole('button', { name: 'Leave' }).click()
  await page.context().setOffline(false)
  await expect(page.getByText('You are offline')).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Clients', level: 1 })).toBeVisible()
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  expect(await (await api('admin')).total('user?email=left-behind@example.com')).toBe(0)
})

test('a form that was saved without a line is saved again when it is back, once', async ({ as, api, complaints }) => {
  complaints.allow(/ERR_INTERNET_DISCONNECTED/)
  const page = await as('admin', '/user/create')
  await text(page, 'E-mail').fill('saved-later@example.com')
  await choose(page, 'Role', 'Moderator')
  await text(page, 'First name').fill('Sam')
  await text(page, 'Last name').fill('Later')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(
    'There is no connection to the server. Check the network and try again.',
  )
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('heading', { name: 'saved-later@example.com', level: 1 })).toBeVisible()
  expect(await (await api('admin')).total('user?email=saved-later@example.com')).toBe(1)
})

test('a page whose code has not come when the line goes says so, and opens by itself when it is back', async ({
  as,
  complaints,
}) => {
  complaints.allow(/ERR_INTERNET_DISCONNECTED|dynamically imported module/)
  const page = await as('admin', '/about')
  // Fetched ahead of time, but slowly: it is under way when the line goes.
  const underWay: Route[] = []
  await page.route('**/assets/record-*.js', (route) => void underWay.push(route))
  await page.goto('/firmware')
  const main = page.getByRole('main')
  const firmware = main.getByRole('row').nth(1).getByRole('link').first()
  await expect(firmware).toBeVisible()
  const version = String(await firmware.textContent())
  await page.context().setOffline(true)
  await page.unroute('**/assets/record-*.js')
  // The browser may have given one up by itself when the line went.
  for (const route of underWay) await route.abort('internetdisconnected').catch(() => undefined)
  await firmware.click()
  await expect(main.getByRole('alert')).toContainText('No connection')
  await expect(page.getByText(/Something went wrong|outdated version/)).toHaveCount(0)
  await page.context().setOffline(false)
  await expect(page.getByRole('heading', { name: version, level: 1 })).toBeVisible()
  await expect(main.getByRole('alert')).toHaveCount(0)
})
