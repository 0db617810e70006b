import { expect } from './support/console.ts'
import { dialog, text } from './support/form.ts'
import { insulation, precharge, rows, testWithFlags } from './support/warned-inbox.ts'

const test = testWithFlags(insulation + precharge)

test('the rows of a group are ticked as one, a key acts on them, and Ctrl+Enter sends what is written', async ({
  as,
  api,
  board,
}) => {
  const admin = await api('admin')
  const page = await as('admin', `/inbox?by=essId&q=${board.code}`)
  await expect(rows(page)).toHaveCount(2)
  await page.getByRole('checkbox', { name: /^Select the rows of/ }).check()
  await expect(page.getByRole('region', { name: 'Selected: 2' })).toBeVisible()
  await page.keyboard.press('?')
  await expect(dialog(page)).toContainText('Actions on the row, or on the selected rows')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await page.keyboard.press('j')
  await page.keyboard.press('c')
  await expect(dialog(page)).toContainText('Selected: 2')
  await expect(dialog(page)).toContainText('Ctrl+Enter or ⌘ Enter sends it')
  await text(dialog(page), 'Comment').fill('The electrician comes')
  await page.keyboard.press('Control+Enter')
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByRole('region', { name: /^Selected/ })).toHaveCount(0)
  const told = await admin.get<{ id: string }[]>(`telemetry-warning?controlPcbId=${board.id}`)
  for (const { id } of told)
    expect(await admin.get(`telemetry-warning/${id}`)).toMatchObject({ comments: [{ text: 'The electrician comes' }] })
  expect(told).toHaveLength(2)
})
