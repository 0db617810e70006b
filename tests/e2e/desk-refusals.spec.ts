import { expect, test } from './support/console.ts'
import { dialog, openList } from './support/form.ts'
import { newBoard, newEss, newUser } from './support/records.ts'

test('an ESS with a board is not offered for deletion; one that had a board says what refers to it', async ({
  as,
  api,
  complaints,
}) => {
  complaints.allow(/409/)
  const admin = await api('admin')
  const [ess, board] = [await newEss(admin), await newBoard(admin)]
  await admin.send('POST', `ess/${ess.id}/attach-control-pcb`, { controlPcbId: board.id, role: 'MAIN' })
  const page = await as('admin', `/ess/${ess.id}`)
  const more = page.getByRole('button', { name: 'More actions' })
  await expect(page.getByRole('button', { name: 'Set maintenance' })).toBeVisible()
  await expect(more).toHaveCount(0)
  await admin.send('DELETE', `ess/${ess.id}/remove-control-pcb`, { controlPcbId: board.id })
  await page.reload()
  await more.click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(dialog(page)).toContainText('The ESS is removed for good')
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('stays, with its history')
  await expect(dialog(page)).toContainText('Attachments: 1')
})

test('a moderator is offered the roles that a moderator may give', async ({ as }) => {
  const page = await as('moderator', '/user/create')
  await openList(page, 'Role')
  await expect(page.locator('.ant-select-dropdown').getByText('Installer', { exact: true })).toBeVisible()
  await expect(page.locator('.ant-select-dropdown').getByText('Moderator', { exact: true })).toHaveCount(0)
  await expect(page.locator('.ant-select-dropdown').getByText('Admin', { exact: true })).toHaveCount(0)
})

test('another role says before it is saved to which ESS it ends the access', async ({ as, api }) => {
  const admin = await api('admin')
  const [ess, person] = [await newEss(admin), await newUser(admin)]
  await admin.send('PUT', `ess/${ess.id}`, { installerId: person.id, version: ess.version })
  const page = await as('admin', `/user/${person.id}/edit`)
  await openList(page, 'Role')
  await page.locator('.ant-select-dropdown').getByText('Client', { exact: true }).click()
  const note = page.locator('.form-ends')
  await expect(note).toContainText('Another role ends the access to 1 ESS:')
  await expect(note).toContainText(String(ess.code))
})
