import { expect, test } from './support/console.ts'

test('a record tells who changed what, from which value to which, newest first', async ({ as, api }) => {
  const moderator = await api('moderator')
  const { id, name, version } = await moderator.first('ess?code=ESS-000031')
  const changed = await moderator.send('PUT', `ess/${id}`, { name: 'Named anew', version })
  const client = await moderator.first('user/client?status=ACTIVE')
  await moderator.send('PUT', `ess/${id}/owner`, { clientId: client.id, version: changed.version })
  const page = await as('admin', `/ess/${id}`)
  await page.getByRole('link', { name: 'History' }).click()
  await expect(page).toHaveURL(new RegExp(`/ess/${id}/history$`))
  const rows = page.locator('.ui-grid tbody tr')
  await expect(rows.nth(0)).toContainText('Owner:')
  await expect(rows.nth(0)).toContainText(String(client.email))
  await expect(rows.nth(1)).toContainText(`Name: ${name} → Named anew`)
  await expect(rows.nth(1)).toContainText('changed')
  await expect(rows.nth(1)).toContainText('moderator@example.com')
})

test('a client has the history of the user that he is', async ({ as, api }) => {
  const moderator = await api('moderator')
  const { id, version, lastName } = await moderator.first('user/client?status=ACTIVE&_sort=email')
  await moderator.send('PUT', `user/${id}`, { lastName: 'Newly', version })
  const page = await as('admin', `/client/${id}/history`)
  await expect(page.locator('.ui-grid tbody tr').first()).toContainText(`Last name: ${lastName} → Newly`)
})

test('who may not read the journal has no history, not by its address either', async ({ as, api }) => {
  const user = await (await api('admin')).get<{ user: { id: string } }>('auth/me')
  const page = await as('client', `/user/${user.user.id}/history`)
  await expect(page.getByRole('heading', { level: 1, name: /403/ })).toBeVisible()
  await expect(page.getByRole('link', { name: 'History' })).toBeHidden()
})
