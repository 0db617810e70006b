import { expect, test } from './support/console.ts'
import { dialog, notice, text } from './support/form.ts'
import { newUser } from './support/records.ts'

test('a user is locked and unlocked by exactly the calls of the contract', async ({ as, api, calls }) => {
  const admin = await api('admin')
  const user = await newUser(admin)
  const page = await as('admin', `/user/${user.id}`)
  const writes = () => calls.filter((call) => !call.startsWith('GET '))

  await page.getByRole('button', { name: 'Lock' }).click()
  await text(dialog(page), 'Reason').fill('Left the company')
  await dialog(page).getByRole('button', { name: 'Lock' }).click()
  await expect(notice(page, 'The user is locked')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Unlock' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Lock', exact: true })).toBeHidden()
  expect(writes()).toEqual([`DELETE /api/user/${user.id}/lock`])
  expect(await admin.get(`user/${user.id}`)).toMatchObject({ status: 'LOCKED', lockedReason: 'Left the company' })

  await page.getByRole('button', { name: 'Unlock' }).click()
  await dialog(page).getByRole('button', { name: 'Unlock' }).click()
  await expect(notice(page, 'The user is unlocked')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Lock', exact: true })).toBeVisible()
  expect(writes()).toEqual([`DELETE /api/user/${user.id}/lock`, `PUT /api/user/${user.id}/unlock`])
})

test('locking without a reason sends no body', async ({ as, api, page: own }) => {
  const user = await newUser(await api('admin'))
  const bodies: (string | null)[] = []
  own.on('request', (request) => {
    if (request.method() === 'DELETE') bodies.push(request.postData())
  })
  const page = await as('admin', `/user/${user.id}`)
  await page.getByRole('button', { name: 'Lock' }).click()
  await dialog(page).getByRole('button', { name: 'Lock' }).click()
  await expect(page.getByRole('button', { name: 'Unlock' })).toBeVisible()
  expect(bodies).toEqual([null])
})

test('who is refused is told why, in the dialog that stays', async ({ as, api }) => {
  const admin = await api('admin')
  const user = await newUser(admin)
  const page = await as('admin', `/user/${user.id}`)
  await page.getByRole('button', { name: 'Lock' }).click()
  await expect(dialog(page)).toBeVisible()
  await admin.send('DELETE', `user/${user.id}/lock`)
  await dialog(page).getByRole('button', { name: 'Lock' }).click()
  await expect(notice(page, 'Oops! Error')).toHaveCount(1)
  await expect(dialog(page).getByRole('alert')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog(page)).toBeHidden()
})

test('selected users are locked together, and each row has its own result', async ({ as, api }) => {
  const admin = await api('admin')
  const users = await Promise.all([newUser(admin), newUser(admin)])
  await admin.send('DELETE', `user/${users[0].id}/lock`)
  const page = await as('admin', '/user?q=test.example')
  for (const { email } of users) await page.getByRole('checkbox', { name: `Select ${email}` }).check()
  await page.getByRole('region', { name: 'Selected: 2' }).getByRole('button', { name: 'Lock', exact: true }).click()
  await dialog(page).getByRole('button', { name: 'Lock', exact: true }).click()
  const results = page.getByRole('dialog', { name: 'Lock: results' })
  await expect(results).toContainText('Done: 1, failed: 0, skipped: 1')
  await expect(results.getByRole('row', { name: String(users[0].email) })).toContainText('Does not apply')
  await expect(results.getByRole('row', { name: String(users[1].email) })).toContainText('Done')
})

test('whom a person may not change he is not offered to change, and told why', async ({ as, api }) => {
  const admin = await api('admin')
  const [above, self, below] = [
    await admin.first('user?email=admin@example.com'),
    await admin.first('user?email=moderator@example.com'),
    await newUser(admin),
  ]
  const page = await as('moderator', `/user/${below.id}`)
  const why = page.getByRole('main').getByText('Admins and moderators are changed by an admin, your own data under Profile.')
  const offered = async () => {
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('main [aria-busy=true], main .ui-skeleton')).toHaveCount(0)
    return Promise.all(
      ['Edit', 'Lock'].map((name) =>
        page
          .getByRole('button', { name, exact: true })
          .or(page.getByRole('link', { name, exact: true }))
          .count(),
      ),
    )
  }
  expect(await offered()).toEqual([1, 1])
  await expect(why).toBeHidden()
  await page.goto(`/user/${above.id}`)
  await expect(page.getByText('Not found', { exact: true })).toBeVisible()
  await page.goto(`/user/${self.id}`)
  await expect(why).toBeVisible()
  expect(await offered()).toEqual([0, 0])
  await page.goto(`/user?q=${self.email}`)
  await expect(page.getByRole('row').nth(1)).toContainText(String(self.email))
  await expect(page.getByRole('row').nth(1).getByRole('button')).toHaveCount(0)
})
