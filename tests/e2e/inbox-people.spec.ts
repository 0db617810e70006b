import { linkTo, newAccount } from './support/accounts.ts'
import { expect, signInPage } from './support/console.ts'
import { dialog } from './support/form.ts'
import { insulation, precharge, rows, testWithFlags } from './support/warned-inbox.ts'

const test = testWithFlags(insulation)

test('work that was given to an engineer stays in his inbox when he no longer serves its ESS', async ({
  page,
  api,
  board,
  server,
}) => {
  const admin = await api('admin')
  const { essId } = await admin.first(`control-pcb?id=${board.id}`)
  const { user, id: userId, email } = await newAccount(server.url, admin, 'service_engineer')
  const warning = await admin.first(`telemetry-warning?controlPcbId=${board.id}&active=true`)
  const assigned = () => admin.call('PUT', `telemetry-warning/${warning.id}/assign`, { userId })
  expect(await assigned()).toMatchObject({ status: 400, body: { code: 'warning.assignee-not-serving' } })
  await admin.send('POST', `ess/${essId}/invite-service-engineer`, { userId, scope: 'FULL' })
  const token = (await linkTo(admin, email, '/invitation/complete')).split('#token=')[1]
  await user.send('PUT', 'user/invitation/complete', { token })
  expect((await assigned()).status).toBe(200)
  await admin.send('DELETE', `ess/${essId}/remove-service-engineer`, { userId })
  await signInPage(page, user)
  await page.goto('/inbox?tab=mine')
  await expect(rows(page)).toHaveCount(1)
  await page.goto(`/inbox?tab=all&q=${board.code}`)
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('link', { name: 'Unassigned', exact: true }).click()
  await expect(page.getByText('Nothing found')).toBeVisible()
})

test('who gives several warnings to an engineer is told how many of their ESS he does not serve', async ({
  as,
  api,
  board,
}) => {
  const admin = await api('admin')
  await board.send(board.frame({ eventFlags: insulation + precharge }))
  const page = await as('admin', `/inbox?q=${board.code}`)
  await expect(rows(page)).toHaveCount(2)
  const choose = async (offered: boolean) => {
    await page.getByRole('combobox', { name: 'Assignee' }).fill('Erik')
    await expect(page.getByRole('option', { name: /Erik Engineer/ })).toHaveCount(offered ? 1 : 0)
  }
  await page.keyboard.press('j')
  await page.keyboard.press('i')
  await choose(false)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  for (const box of await rows(page).getByRole('checkbox').all()) await box.check()
  await page.getByRole('region', { name: 'Selected: 2' }).getByRole('button', { name: 'Assign', exact: true }).click()
  await choose(true)
  await page.getByRole('option', { name: /Erik Engineer/ }).click()
  await expect(dialog(page)).toContainText('The person does not serve this ESS with full rights')
  await expect(dialog(page).getByRole('button', { name: 'Assign', exact: true })).toBeDisabled()
  expect(await admin.total(`telemetry-warning?controlPcbId=${board.id}&assigneeId_null=true&active=true`)).toBe(2)
})
