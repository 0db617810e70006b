import { accountPassword, newAccount } from './support/accounts.ts'
import { test as clocked } from './support/clocked-console.ts'
import { expect, signInPage } from './support/console.ts'
import { choose, dialog, fact, notice, text } from './support/form.ts'
import { startFleet } from './support/live-server.ts'
import { newBoard, newUser } from './support/records.ts'

/** Confirmations grow old before tokens do, so that a jump of the server's clock ends no session. */
const test = clocked.extend({
  server: [
    async ({ clock }, use) => {
      const server = await startFleet({ env: { ...clock.env, CONFIRM_AFTER_MIN: '5' } })
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

test('a change of role asks who is there, loses nothing that was typed, and is saved after it', async ({
  page,
  api,
  server,
  clock,
  calls,
}) => {
  const admin = await api('admin')
  const { user } = await newAccount(server.url, admin, 'admin')
  const other = await newUser(admin, 'installer')
  await signInPage(page, user)
  await page.goto(`/user/${other.id}/edit`)
  await text(page, 'First name').fill('Valentina')
  await choose(page, 'Role', 'Moderator')
  await clock.pass(6)
  await page.getByRole('button', { name: 'Save' }).click()
  const asked = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await expect(asked.getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.type('not the password')
  await page.keyboard.press('Enter')
  await expect(asked.getByRole('alert')).toContainText('The current password is not right')
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await expect(text(page, 'First name')).toHaveValue('Valentina')
  await page.getByRole('button', { name: 'Save' }).click()
  await asked.getByLabel('Password', { exact: true }).fill(accountPassword)
  await page.keyboard.press('Enter')
  await expect(notice(page, 'Saved')).toBeVisible()
  expect(await admin.get(`user/${other.id}`)).toMatchObject({ firstName: 'Valentina', role: 'moderator' })
  expect(calls.filter((call) => call === 'POST /api/auth/confirm')).toHaveLength(2)
})

test('a device key asks over its own dialog, and is shown once it was confirmed', async ({ page, api, server, clock }) => {
  const admin = await api('admin')
  const { user } = await newAccount(server.url, admin, 'admin')
  const board = await newBoard(admin)
  await signInPage(page, user)
  await page.goto(`/control-pcb/${board.id}`)
  await expect(fact(page, 'Connection')).toHaveText('Never seen')
  await clock.pass(6)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Create key' }).click()
  await dialog(page).getByRole('button', { name: 'Create key' }).click()
  const asked = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await asked.getByLabel('Password', { exact: true }).fill(accountPassword)
  await page.keyboard.press('Enter')
  await expect(notice(page, 'The board has a new key')).toBeVisible()
  await expect(text(dialog(page), 'Device key')).toHaveValue(/^[\w-]{43}$/)
})
