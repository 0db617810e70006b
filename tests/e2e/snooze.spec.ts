import { warnings } from '#resources/fleet/warnings/warnings.ts'
import { test as base, expect } from './support/console.ts'
import { choose, dialog, fact, notice, text } from './support/form.ts'
import { TalkingBoard } from './support/talking-board.ts'

const test = base.extend<{ board: TalkingBoard }>({
  board: async ({ api, server }, use) => {
    const board = await TalkingBoard.attach(await api('admin'), server.url)
    await board.send(board.frame({ eventFlags: 2 ** warnings.INSULATION_FAULT.flag.bit }))
    await use(board)
  },
})

test('a warning is put off until tomorrow morning by the clock of the browser, with a reason, and brought back', async ({
  as,
  api,
  board,
}) => {
  const admin = await api('admin')
  const { id } = await admin.first(`telemetry-warning?controlPcbId=${board.id}`)
  const page = await as('admin', `/telemetry-warning/${id}`)
  const more = page.getByRole('main').getByRole('button', { name: 'More actions' })
  await more.click()
  await page.getByRole('menuitem', { name: 'Snooze' }).click()
  await expect(text(dialog(page), 'Until')).toBeHidden()
  await text(dialog(page), 'Reason').fill('The electrician comes tomorrow')
  await choose(page, 'For how long', 'Until tomorrow, 08:00')
  await dialog(page).getByRole('button', { name: 'Snooze' }).click()
  await expect(notice(page, 'The warning is snoozed')).toBeVisible()
  await expect(fact(page, 'Snoozed until')).toContainText(/08:00|8:00/)
  await expect(fact(page, 'Snooze reason')).toHaveText('The electrician comes tomorrow')

  await page.goto(`/telemetry-warning?controlPcbId=${board.id}`)
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.getByRole('link', { name: 'Snoozed', exact: true }).click()
  await expect(page.getByRole('row', { name: new RegExp(board.code) })).toBeVisible()
  await page.getByRole('link', { name: 'Active', exact: true }).click()
  await expect(page).toHaveURL(/snoozed=false/)
  await expect(page.getByRole('row', { name: new RegExp(board.code) })).toHaveCount(0)

  await page.goto(`/telemetry-warning/${id}`)
  await more.click()
  await page.getByRole('menuitem', { name: 'Assign to me' }).click()
  await expect(fact(page, 'Assigned to')).toContainText('Ada Admin')
  await more.click()
  await page.getByRole('menuitem', { name: 'End snooze' }).click()
  await expect(fact(page, 'Snoozed until')).toHaveCount(0)
  expect(await admin.get(`telemetry-warning/${id}`)).toMatchObject({ snoozed: false, snoozedUntil: null })
})
