import { seriousFaults } from './support/axe.ts'
import { expect, test } from './support/console.ts'
import { dialog, fact, notice, search, text } from './support/form.ts'
import { TalkingBoard } from './support/talking-board.ts'

test('the settings of a template go to one board first, then to the others, and stop with a board that rejects them', async ({
  as,
  api,
  server,
}) => {
  const admin = await api('admin')
  const boards = [await TalkingBoard.attach(admin, server.url), await TalkingBoard.attach(admin, server.url)]
  for (const board of boards) {
    await board.send(board.frame())
    await board.configured('APPLIED')
  }
  const code = `WAVES-${boards[0]?.uid}`
  const template = await admin.send('POST', 'configuration-template', { code, name: 'Waves', settings: { socMinPct: 17 } })
  const page = await as('admin', `/configuration-template/${template.id}/rollouts`)
  await page.getByRole('link', { name: 'Create: Rollout' }).click()
  await text(page, 'Name').fill(`Settings ${code}`)
  await expect(page.getByRole('combobox', { name: 'Firmware' })).toHaveCount(0)
  for (const board of boards) await search(page, 'Only boards of this list', board.code)
  await page.keyboard.press('Escape')
  await expect(page.getByText('2 of 2 included')).toBeVisible()
  expect(await seriousFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('link', { name: `Settings ${code}` }).click()
  await expect(fact(page, 'Installs')).toHaveText('Configuration template')
  await expect(fact(page, 'Version or template')).toHaveText(code)

  await page.getByRole('button', { name: 'Start' }).click()
  await expect(dialog(page).getByText('2 of 2 included')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Start' }).click()
  await expect(notice(page, 'The rollout has started')).toBeVisible()

  const given: (Record<string, unknown> | undefined)[] = []
  await expect
    .poll(async () => {
      given.splice(0, 2, ...(await Promise.all(boards.map((board) => board.configured('REJECTED', 'no such limit')))))
      return given.filter(Boolean).length
    })
    .toBe(1)
  expect(given.find(Boolean)).toMatchObject({ socMinPct: 17 })
  await expect(fact(page, 'State')).toHaveText('Paused')
  await expect(fact(page, 'Reason')).toContainText('1 of 1 board failed')
  await page.getByRole('link', { name: 'Boards', exact: true }).click()
  await expect(page.getByRole('row', { name: /Failed.*Rejected by the board.*no such limit/ })).toHaveCount(1)
  await expect(page.getByRole('row', { name: /Waiting/ })).toHaveCount(1)

  await page.getByRole('button', { name: 'Stop' }).click()
  await dialog(page).getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByRole('row', { name: /Left out.*The rollout was stopped/ })).toHaveCount(1)
  const left = boards.filter((_, index) => !given[index])
  expect(await Promise.all(left.map((board) => board.configured('APPLIED')))).toEqual([undefined])
})
