import { isWarningCode, warningCodes } from '#resources/fleet/warnings/warning-codes.ts'
import { expect, test } from './support/console.ts'

test('a record tells who changed what, from which value to which, newest first', async ({ as, api }) => {
  const moderator = await api('moderator')
  const { id, name, version } = await moderator.first('ess?code=ESS-000031')
  const changed = await moderator.send('PUT', `ess/${id}`, { name: 'Named again', version })
  const client = await moderator.first('user/client?status=ACTIVE')
  await moderator.send('PUT', `ess/${id}/owner`, { clientId: client.id, version: changed.version })
  const page = await as('admin', `/ess/${id}`)
  await page.getByRole('link', { name: 'History' }).click()
  await expect(page).toHaveURL(new RegExp(`/ess/${id}/history$`))
  const rows = page.locator('.ui-grid tbody tr')
  await expect(rows.nth(0)).toContainText('Owner:')
  await expect(rows.nth(0)).toContainText(String(client.name))
  await expect(rows.nth(1)).toContainText(`Name: ${name} → Named again`)
  await expect(rows.nth(1)).toContainText('Changed')
  await expect(rows.nth(1)).toContainText('Milan Moderator')
})

test('a client has the history of the user that he is', async ({ as, api }) => {
  const moderator = await api('moderator')
  const { id, version, lastName } = await moderator.first('user/client?status=ACTIVE&_sort=email')
  await moderator.send('PUT', `user/${id}`, { lastName: 'Newly', version })
  const page = await as('admin', `/client/${id}/history`)
  const changes = page.locator('.ui-grid tbody tr').filter({ hasText: 'changed' })
  await expect(changes.first()).toContainText(`Last name: ${lastName} → Newly`)
})

test('who may not read the journal has no history, not by its address either', async ({ as, api }) => {
  const user = await (await api('admin')).get<{ user: { id: string } }>('auth/me')
  const page = await as('client', `/user/${user.user.id}/history`)
  await expect(page.getByRole('heading', { level: 1, name: /403/ })).toBeVisible()
  await expect(page.getByRole('link', { name: 'History' })).toBeHidden()
})

test('the log of all says in words what was done, in its entries too', async ({ as, api }) => {
  const moderator = await api('moderator')
  const { id } = await moderator.first('ess?code=ESS-000032')
  await moderator.send('PUT', `ess/${id}/maintenance`, {
    until: new Date(Date.now() + 3_600_000).toISOString(),
    reason: 'Fans',
  })
  const page = await as('admin', '/audit-log?action=login')
  const row = page.locator('.ui-grid tbody tr').first()
  await expect(row).toContainText('Signed in')
  await expect(row).toContainText('Session')

  await page.goto('/audit-log?action=maintenance')
  await page.locator('.ui-grid tbody tr').first().getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Audit entry /)
  const entry = page.locator('.ui-card').filter({ has: page.getByRole('heading', { name: 'Audit entry', exact: true }) })
  await expect(entry).toContainText('Maintenance')
  await expect(entry).toContainText('Fans')

  await page.evaluate(() => localStorage.setItem('ess-console.language', 'ru'))
  await page.goto('/audit-log?action=login')
  await expect(page.locator('.ui-grid tbody tr').first()).toContainText('Вход')
  await expect(page.locator('.ui-grid tbody tr').first()).toContainText('Сеанс')
})

test('a record that is called by a code is called by its words, where it was changed and where it was named', async ({
  as,
  api,
}) => {
  const moderator = await api('moderator')
  const { id, code } = await moderator.first('telemetry-warning?controlPcbId_null=false')
  const file = await moderator.send<{ id: string }>('PUT', `telemetry-warning/${id}/open-case`)
  const paths = [`/audit-log?action=open-case&entityId=${id}`, `/audit-log?action=create&entityId=${file.id}`] as const
  if (!isWarningCode(code)) throw new Error(`${code} is no code of a warning`)
  const page = await as('admin', paths[0])
  for (const [language, index] of [
    ['en', 0],
    ['ru', 1],
  ] as const) {
    await page.evaluate((chosen) => localStorage.setItem('ess-console.language', chosen), language)
    for (const path of paths) {
      await page.goto(path)
      const row = page.locator('.ui-grid tbody tr').first()
      await expect(row).toContainText(warningCodes[code][index])
      await expect(row).not.toContainText(code)
    }
    await page.goto(`/audit-log?code=${code}`)
    await expect(page.locator('.view-chips')).toContainText(`: ${warningCodes[code][index]}`)
    await expect(page.locator('.view-chips')).not.toContainText(code)
  }
  await page.goto(paths[0])
  await page.locator('.ui-grid tbody tr').first().getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Запись журнала /)
  await expect(page.getByRole('main')).toContainText(warningCodes[code][1])
  await expect(page.getByRole('main')).not.toContainText(code)
})

test('the log of all is filtered by what was done in words, which are searched', async ({ as }) => {
  const page = await as('admin', '/audit-log')
  await expect(page.locator('.ui-grid tbody tr').first()).toBeVisible()
  /** Opens a filter that is not in use. */
  const openFilter = async (name: string) => {
    await page.getByRole('button', { name: /^(?:More filters|Filters)$/ }).click()
    await page.getByRole('menuitem', { name, exact: true }).click()
  }
  await openFilter('Action')
  const search = page.getByRole('searchbox', { name: 'Search', exact: true })
  await expect(search).toBeFocused()
  await page.keyboard.type('signed i')
  await expect(page.getByRole('checkbox', { name: 'Signed in' })).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Signed out' })).toHaveCount(0)
  await page.getByRole('checkbox', { name: 'Signed in' }).check()
  await search.fill('signed o')
  await page.getByRole('checkbox', { name: 'Signed out' }).check()
  await expect(page).toHaveURL(/action=/)
  await expect(page.locator('.view-chips')).toContainText('Action: Signed in, Signed out')
  await expect(page.locator('.ui-grid tbody tr').first()).toContainText(/Signed (in|out)/)

  await openFilter('Kind')
  await search.fill('user')
  await expect(page.getByRole('checkbox', { name: 'User', exact: true })).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'ESS', exact: true })).toHaveCount(0)
})
