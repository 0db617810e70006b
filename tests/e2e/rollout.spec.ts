import { expect, test } from './support/console.ts'
import { dialog, fact, notice, number, search, text } from './support/form.ts'
import { newBoard } from './support/records.ts'

test('a rollout is made with its waves, started, and held; every step is seen at once', async ({ as, api, calls }) => {
  const admin = await api('admin')
  const board = await newBoard(admin)
  // A board that can be asked: it stays in the queue, and the rollout goes on for as long as it is looked at.
  await admin.send('PUT', `control-pcb/${board.id}`, { version: board.version, lifecycle: 'ACTIVE' })
  const [firmware] = await admin.get<{ firmwareVersion: string }[]>(`firmware/for-request-update?controlPcbId=${board.id}`)
  const page = await as('admin', '/rollout/create')
  await text(page, 'Name').fill('Spring')
  await search(page, 'Firmware', String(firmware?.firmwareVersion))
  await search(page, 'Boards', String(board.code))
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Add' }).click()
  await number(page, 'or up to').fill('50')
  await page.getByRole('button', { name: 'Create' }).click()
  const fault = page.getByRole('group', { name: 'Waves' }).getByRole('alert')
  await expect(fault).toHaveText('The last wave must take all boards: 100 %')
  await number(page, 'or up to').fill('100')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(fact(page, 'State')).toHaveText('Draft')

  await page.getByRole('button', { name: 'Start' }).click()
  await dialog(page).getByRole('button', { name: 'Start' }).click()
  await expect(notice(page, 'The rollout has started')).toBeVisible()
  await expect(fact(page, 'State')).toHaveText('Running')
  // Notices stay for as long as they are pointed at, and these stand before the buttons.
  await page.mouse.move(0, 0)
  await expect(page.locator('.ant-notification-notice')).toHaveCount(0)
  const id = calls.find((call) => /^PUT \/api\/rollout\/.*\/start$/.test(call))?.split('/')[3]
  await admin.send('PUT', `rollout/${id}/pause`, { note: 'storm' })
  await expect(fact(page, 'State')).toHaveText('Paused')
  await expect(fact(page, 'Reason')).toHaveText('storm')
  await page.getByRole('button', { name: 'Resume' }).click()
  await text(dialog(page), 'Why it may go on').fill('It has passed')
  await dialog(page).getByRole('button', { name: 'Resume' }).click()
  await expect(fact(page, 'State')).toHaveText('Running')
  await page.getByRole('link', { name: 'Updates', exact: true }).click()
  await expect(page.getByRole('columnheader', { name: 'Wave' })).toBeVisible()
})

test('a moderator may hold a rollout, and nothing else', async ({ as, api }) => {
  const admin = await api('admin')
  const [firmware] = await admin.get<{ id: string }[]>('firmware?status=RELEASED&_end=1')
  const board = await newBoard(admin)
  const made = await admin.send<{ id: string }>('POST', 'rollout', {
    name: 'Autumn',
    firmwareId: firmware?.id,
    controlPcbIds: [board.id],
  })
  await admin.send('PUT', `rollout/${made.id}/start`)
  const page = await as('moderator', `/rollout/${made.id}`)
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
  for (const name of ['Stop', 'Resume', 'Edit', 'Start'])
    await expect(page.getByRole('button', { name, exact: true })).toBeHidden()
  await page.goto('/rollout')
  await expect(page.getByRole('row', { name: /Autumn/ })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create' })).toBeHidden()
})

test('an update is asked for from the page of a board, with what fits it', async ({ as, api }) => {
  const admin = await api('admin')
  const board = await newBoard(admin)
  await admin.send('PUT', `control-pcb/${board.id}`, { version: board.version, lifecycle: 'ACTIVE' })
  const offered = await admin.get<{ firmwareVersion: string }[]>(`firmware/for-request-update?controlPcbId=${board.id}`)
  const version = String(offered[0]?.firmwareVersion)
  const page = await as('admin', `/control-pcb/${board.id}/firmware-updates`)
  await page.getByRole('button', { name: 'Request update' }).click()
  await search(page, 'Firmware', version)
  await dialog(page).getByRole('button', { name: 'Request update' }).click()
  await expect(notice(page, 'The update is requested')).toBeVisible()
  await expect(page.getByRole('row', { name: new RegExp(`Queued.*${version}`) })).toBeVisible()
})
