import { test as base, expect } from './support/console.ts'
import { dialog, notice, search } from './support/form.ts'
import { TalkingBoard } from './support/talking-board.ts'

/** Images of the demo fleet: a version that was taken back, and the newest one that is released. */
const revoked = '2.0.0'

const test = base.extend<{ board: TalkingBoard }>({
  board: async ({ api, server }, use) => use(await TalkingBoard.attach(await api('admin'), server.url)),
})

test('a board whose only critical warning is its revoked firmware is asked to update', async ({ as, api, board }) => {
  const admin = await api('admin')
  await board.send(board.frame({ firmwareVersion: revoked }))
  const open = `telemetry-warning?controlPcbId=${board.id}&active=true&severity=CRITICAL`
  // The server looks at its own rules every 15 s.
  const codes = async () => (await admin.get<{ code: string }[]>(open)).map(({ code }) => code)
  await expect.poll(codes, { timeout: 30_000 }).toEqual(['FW_REVOKED'])
  const page = await as('admin', `/control-pcb/${board.id}/firmware-updates`)
  await page.getByRole('button', { name: 'Request update' }).click()
  await search(page, 'Firmware', '2.2.0')
  await expect(dialog(page).getByRole('status').filter({ hasText: 'Nothing stands in the way.' })).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Request update' }).click()
  await expect(notice(page, 'The update is requested')).toBeVisible()
})

test('a rollout that cannot move says why within a minute, with the board', async ({ as, api, board }) => {
  const admin = await api('admin')
  await board.send(board.frame({ firmwareVersion: '2.1.5', socPct: 10 }))
  const offers = await admin.get<{ id: string; firmwareVersion: string }[]>(
    `firmware/for-request-update?controlPcbId=${board.id}`,
  )
  const firmwareId = offers.find(({ firmwareVersion }) => firmwareVersion === '2.2.0')?.id
  const made = await admin.send('POST', 'rollout', { name: 'Stuck', firmwareId, controlPcbIds: [board.id] })
  const page = await as('admin', `/rollout/${made.id}`)
  await page.getByRole('button', { name: 'Start' }).click()
  await dialog(page).getByRole('button', { name: 'Start' }).click()
  const why = page.getByRole('row').filter({ hasText: 'Charge below 20 %' })
  await expect(why).toContainText(board.code, { timeout: 60_000 })
  await why.getByRole('link', { name: board.code }).click()
  await expect(page).toHaveURL(new RegExp(`/control-pcb/${board.id}`))
})
