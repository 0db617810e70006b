import { expect, test } from './support/console.ts'
import { choose, dialog, expectFault, fact, notice, number, search, text } from './support/form.ts'
import { newBoard, newEss } from './support/records.ts'

test('a board is attached to an ESS and removed with a reason', async ({ as, api, calls }) => {
  const admin = await api('admin')
  const [ess, board] = await Promise.all([newEss(admin), newBoard(admin)])
  const code = String(board.code)
  const page = await as('admin', `/ess/${ess.id}/control-pcb`)
  await page.getByRole('button', { name: 'Attach board' }).click()
  await search(page, 'Board', code)
  await dialog(page).getByRole('button', { name: 'Attach board' }).click()
  await expect(notice(page, 'The board is attached')).toBeVisible()
  const row = page.getByRole('row', { name: new RegExp(code) })
  await expect(row).toContainText('Main')
  expect(await admin.get(`control-pcb/${board.id}`)).toMatchObject({ essId: ess.id, role: 'MAIN' })

  await row.getByRole('button', { name: /More actions/ }).click()
  await page.getByRole('menuitem', { name: 'Remove board' }).click()
  await text(dialog(page), 'Reason').fill('Swapped')
  await dialog(page).getByRole('button', { name: 'Remove board' }).click()
  await expect(row).toBeHidden()
  expect(calls.filter((call) => !call.startsWith('GET '))).toEqual([
    `POST /api/ess/${ess.id}/attach-control-pcb`,
    `DELETE /api/ess/${ess.id}/remove-control-pcb`,
  ])
  expect(await admin.get(`control-pcb/${board.id}`)).toMatchObject({ essId: null })
})

test('a second main board is refused by the server, and the form stays as it was', async ({ as, api }) => {
  const admin = await api('admin')
  const [ess, first, second] = await Promise.all([newEss(admin), newBoard(admin), newBoard(admin)])
  await admin.send('POST', `ess/${ess.id}/attach-control-pcb`, { controlPcbId: first.id, role: 'MAIN' })
  const page = await as('admin', `/ess/${ess.id}/control-pcb`)
  await page.getByRole('button', { name: 'Attach board' }).click()
  await search(page, 'Board', String(second.code))
  await dialog(page).getByRole('button', { name: 'Attach board' }).click()
  await expect(notice(page, 'Oops! Error')).toHaveCount(1)
  await expect(dialog(page)).toContainText(String(second.code))
  await choose(page, 'Role', 'Module')
  await dialog(page).getByRole('button', { name: 'Attach board' }).click()
  await expect(page.getByRole('row', { name: new RegExp(String(second.code)) })).toContainText('Module')
})

test('the configuration of a board is a form, and saving it counts its version up', async ({ as, api }) => {
  const admin = await api('admin')
  const board = await newBoard(admin)
  const page = await as('admin', `/control-pcb/${board.id}`)
  await expect(fact(page, 'Desired version')).toHaveText('1')
  await page.getByRole('button', { name: 'Edit configuration' }).click()
  await number(dialog(page), 'Lowest charge').fill('12')
  await number(dialog(page), 'Backup reserve').fill('30')
  await text(dialog(page), 'Reason').fill('Longer nights')
  await dialog(page).getByRole('button', { name: 'Edit configuration' }).click()
  await expect(notice(page, 'The configuration is saved')).toBeVisible()
  await expect(fact(page, 'Desired version')).toHaveText('2')
  const envelope = await admin.get<{ desired: object; desiredVersion: number }>(`control-pcb/${board.id}/configuration`)
  expect(envelope).toMatchObject({ desiredVersion: 2, desired: { socMinPct: 12, backupReservePct: 30, socMaxPct: 100 } })
})

test('a pair of limits that does not fit is told on its field by the server', async ({ as, api }) => {
  const board = await newBoard(await api('admin'))
  const page = await as('admin', `/control-pcb/${board.id}`)
  await page.getByRole('button', { name: 'Edit configuration' }).click()
  await number(dialog(page), 'Lowest charge').fill('50')
  await number(dialog(page), 'Highest charge').fill('55')
  await number(dialog(page), 'Backup reserve').fill('52')
  await dialog(page).getByRole('button', { name: 'Edit configuration' }).click()
  await expectFault(number(dialog(page), 'Highest charge'), /./)
  await expect(number(dialog(page), 'Lowest charge')).toHaveValue('50')
  await number(dialog(page), 'Highest charge').fill('80')
  await dialog(page).getByRole('button', { name: 'Edit configuration' }).click()
  await expect(fact(page, 'Desired version')).toHaveText('2')
})
