import type { Page } from '@playwright/test'
import { expect, test } from './support/console.ts'
import { choose, dialog, fact, list, notice, search, text } from './support/form.ts'
import { newEss } from './support/records.ts'

/** Bodies that the browser sends, with the call. */
function bodiesOf(page: Page): unknown[] {
  const bodies: unknown[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') bodies.push([request.method(), new URL(request.url()).pathname, request.postDataJSON()])
  })
  return bodies
}

test('a guest is chosen from those who can be invited, and removed by a DELETE with a body', async ({
  as,
  api,
  calls,
  page: own,
}) => {
  const admin = await api('admin')
  const ess = await newEss(admin)
  const guest = await admin.first(`ess/${ess.id}/clients-to-invite?q=client007`)
  const bodies = bodiesOf(own)
  const page = await as('admin', `/ess/${ess.id}`)
  await page.getByRole('link', { name: 'Guests' }).click()
  await page.getByRole('button', { name: 'Invite guest' }).click()
  await search(page, 'Client', 'client007@example.com')
  await dialog(page).getByRole('button', { name: 'Invite guest' }).click()
  await expect(notice(page, 'The guest is invited')).toBeVisible()
  const row = page.getByRole('row', { name: String(guest.name) })
  await expect(row).toBeVisible()
  expect(calls.some((call) => call.startsWith(`GET /api/ess/${ess.id}/clients-to-invite?`))).toBe(true)
  expect(await admin.get(`ess/${ess.id}/clients-to-invite?q=client007`)).toEqual([])

  await row.getByRole('button', { name: `More actions: ${guest.name}` }).click()
  await page.getByRole('menuitem', { name: 'Remove guest' }).click()
  await dialog(page).getByRole('button', { name: 'Remove guest' }).click()
  await expect(notice(page, 'The guest is removed')).toBeVisible()
  await expect(row).toContainText('Revoked')
  expect(bodies).toMatchObject([
    ['POST', `/api/ess/${ess.id}/invite-guest`, { userId: guest.id }],
    ['DELETE', `/api/ess/${ess.id}/remove-guest`, { userId: guest.id }],
  ])
})

test('an owner is set and taken away, and the page follows at once', async ({ as, api }) => {
  const admin = await api('admin')
  const ess = await newEss(admin)
  const page = await as('admin', `/ess/${ess.id}`)
  await expect(fact(page, 'Owner')).toContainText('No value')
  await page.getByRole('button', { name: 'Set owner' }).click()
  await search(page, 'Owner', 'client009@example.com')
  await dialog(page).getByRole('button', { name: 'Set owner' }).click()
  await expect(notice(page, 'The owner is set')).toBeVisible()
  const { email, name } = (await admin.get<{ owner: { email: string; name: string } }>(`ess/${ess.id}`)).owner
  expect(email).toBe('client009@example.com')
  await expect(fact(page, 'Owner').getByRole('link', { name })).toBeVisible()

  await expect(dialog(page)).toBeHidden()
  await page.getByRole('button', { name: 'Set owner' }).click()
  await search(page, 'Owner', 'client009@example.com')
  await expect(list(page, 'Owner')).toHaveAccessibleDescription(new RegExp(name))
  await list(page, 'Owner').press('Backspace')
  await expect(list(page, 'Owner')).not.toHaveAccessibleDescription(new RegExp(name))
  await dialog(page).getByRole('button', { name: 'Set owner' }).click()
  await expect(dialog(page)).toBeHidden()
  await expect(fact(page, 'Owner')).toContainText('No value')
  expect((await admin.get<{ ownerId: string | null }>(`ess/${ess.id}`)).ownerId).toBeNull()
})

test('a change of the owner is seen where one stands: the guests are revoked, and the history has the note', async ({
  as,
  api,
}) => {
  const admin = await api('admin')
  const ess = await newEss(admin)
  const [first, second] = [
    await admin.first('user/client?email=client011@example.com'),
    await admin.first('user/client?email=client012@example.com'),
  ]
  await admin.send('PUT', `ess/${ess.id}/owner`, { clientId: first.id })
  await admin.send('POST', `ess/${ess.id}/invite-guest`, { userId: second.id })
  const page = await as('admin', `/ess/${ess.id}/guest`)
  const guest = page.getByRole('row', { name: String(second.name) })
  await expect(guest).toContainText('Invited')
  await page.getByRole('button', { name: 'Set owner' }).click()
  await search(page, 'Owner', 'client013@example.com')
  await text(dialog(page), 'Note').fill('Second sale, contract 77')
  await dialog(page).getByRole('button', { name: 'Set owner' }).click()
  await expect(guest).toContainText('Revoked')

  await page.getByRole('link', { name: 'History' }).click()
  const entries = page.locator('.ui-grid tbody tr')
  await expect(entries.first()).toContainText('Second sale, contract 77')
  await page.getByRole('button', { name: 'Set owner' }).click()
  await search(page, 'Owner', 'client014@example.com')
  await text(dialog(page), 'Note').fill('Third sale')
  await dialog(page).getByRole('button', { name: 'Set owner' }).click()
  await expect(entries.first()).toContainText('Third sale')
  // The same from elsewhere: nobody has touched this page.
  await admin.send('PUT', `ess/${ess.id}/owner`, { clientId: second.id, note: 'Fourth sale' })
  await expect(entries.first()).toContainText('Fourth sale')
})

test('a service engineer is invited with a scope, and removed', async ({ as, api, page: own }) => {
  const admin = await api('admin')
  const ess = await newEss(admin)
  const engineer = await admin.first(`ess/${ess.id}/service-engineer-to-invite?q=engineer003`)
  const bodies = bodiesOf(own)
  const page = await as('moderator', `/ess/${ess.id}/service-engineer`)
  await page.getByRole('button', { name: 'Invite engineer' }).click()
  await search(page, 'Engineer', 'engineer003@example.com')
  await choose(page, 'Scope', 'Read only')
  await dialog(page).getByRole('button', { name: 'Invite engineer' }).click()
  const row = page.getByRole('row', { name: String(engineer.name) })
  await expect(row).toContainText('Read only')
  await row.getByRole('button', { name: /More actions/ }).click()
  await page.getByRole('menuitem', { name: 'Remove engineer' }).click()
  await dialog(page).getByRole('button', { name: 'Remove engineer' }).click()
  await expect(row).toContainText('Revoked')
  expect(bodies).toEqual([
    ['POST', `/api/ess/${ess.id}/invite-service-engineer`, { userId: engineer.id, scope: 'READ' }],
    ['DELETE', `/api/ess/${ess.id}/remove-service-engineer`, { userId: engineer.id }],
  ])
})
