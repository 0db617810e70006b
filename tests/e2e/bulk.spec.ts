import type { Locator } from '@playwright/test'
import type { ApiUser } from './support/api-user.ts'
import { expect, test } from './support/console.ts'
import { dialog, fact, notice, openList, pick, search, text } from './support/form.ts'
import { newBoard, newEss } from './support/records.ts'

/** Two boards with a part of their code in common, one of them in service. */
async function twoBoards(admin: ApiUser) {
  const idle = await newBoard(admin)
  const active = await newBoard(admin)
  await admin.send('PUT', `control-pcb/${active.id}`, { version: active.version, lifecycle: 'ACTIVE' })
  return { idle, active }
}

/** Texts of a dialog that are wider than their place. */
const clippedIn = (scope: Locator) =>
  scope
    .locator('*')
    .evaluateAll((parts) =>
      parts.filter((part) => part.clientWidth > 0 && part.scrollWidth > part.clientWidth + 1).map((part) => part.textContent),
    )

/** Lines that a text takes. */
const linesOf = (place: Locator) =>
  place.evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return range.getClientRects().length
  })

test('an action on many boards says first how many can take it, and afterwards what became of each', async ({ as, api }) => {
  const admin = await api('admin')
  const { idle, active } = await twoBoards(admin)
  const page = await as('admin', `/control-pcb?id=${idle.id}&id=${active.id}`)
  await page.getByRole('checkbox', { name: `Select ${idle.code}` }).check()
  await page.getByRole('checkbox', { name: `Select ${active.code}` }).check()
  const bar = page.getByRole('region', { name: 'Selected: 2' })
  await bar.getByRole('button', { name: 'Put in quarantine' }).click()
  await expect(dialog(page)).toContainText('Can be done: 1 of 2')
  await expect(dialog(page).getByRole('listitem')).toHaveText(`1 Does not apply in the present state ${idle.code}`)
  await dialog(page).getByRole('button', { name: 'Put in quarantine' }).click()
  const results = page.getByRole('dialog', { name: 'Put in quarantine: results' })
  await expect(results).toContainText('Done: 1, failed: 0, skipped: 1')
  await expect(results.getByRole('row', { name: String(active.code) })).toContainText('Done')
  expect((await admin.get(`control-pcb/${active.id}`)).lifecycle).toBe('QUARANTINED')
  expect((await admin.get(`control-pcb/${idle.id}`)).lifecycle).toBe('REGISTERED')
})

test('an update of many boards is checked for all of them before it is requested', async ({ as, api, calls }) => {
  const admin = await api('admin')
  const { idle, active } = await twoBoards(admin)
  const page = await as('admin', `/control-pcb?id=${idle.id}&id=${active.id}`)
  await page.getByRole('checkbox', { name: `Select ${idle.code}` }).check()
  await page.getByRole('checkbox', { name: `Select ${active.code}` }).check()
  await page.getByRole('button', { name: 'Request update' }).click()
  await expect(dialog(page)).toContainText('Cannot be done now: 1')
  await openList(dialog(page), 'Firmware')
  // Of many boards every firmware that may be installed is a choice, and no other.
  const offered = await admin.get<{ firmwareVersion: string }[]>('firmware/for-request-update')
  await expect(page.locator('.ant-select-item-option')).toHaveCount(offered.length)
  const [newest] = offered
  await pick(page, String(newest?.firmwareVersion))
  const send = dialog(page).getByRole('button', { name: 'Request update' })
  await expect(dialog(page).getByRole('status')).toHaveText('Can be done: 0 of 2, for the reasons below')
  const reasons = dialog(page).getByRole('list', { name: 'Cannot be done, by reason' }).getByRole('listitem')
  await expect(reasons).toHaveText([`1 Does not apply in the present state ${idle.code}`, `1 Other hardware ${active.code}`])
  await expect(send).toBeDisabled()
  await expect(send).toHaveAttribute('title', 'Can be done: 0 of 2, for the reasons below')
  expect(calls.filter((call) => call.startsWith('GET /api/firmware-update/pre-check'))).toHaveLength(1)
  await openList(dialog(page), 'Firmware')
  await pick(page, '1.9.4')
  await expect(dialog(page)).toContainText('Can be done: 1 of 2')
  // Another request comes in between.
  await admin.send('PUT', `control-pcb/${active.id}`, { version: active.version + 1, lifecycle: 'QUARANTINED' })
  await send.click()
  const results = page.getByRole('dialog', { name: 'Request update: results' })
  await expect(results).toContainText('Done: 0, failed: 1, skipped: 1')
  const reason = results.getByText(`${active.code} cannot be updated now: Not in service (Quarantined)`)
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await expect(reason).toBeInViewport({ ratio: 1 })
    expect(await clippedIn(results), `at ${width} px`).toEqual([])
    expect(await linesOf(results.getByText(String(active.code), { exact: true })), `at ${width} px`).toBe(1)
  }
  expect(await admin.total(`firmware-update?controlPcbId=${active.id}`)).toBe(0)
})

test('maintenance of many systems is set at once', async ({ as, api }) => {
  const admin = await api('admin')
  const sites = [await newEss(admin), await newEss(admin)]
  const page = await as('admin', `/ess?${sites.map(({ id }) => `id=${id}`).join('&')}`)
  for (const { code } of sites) await page.getByRole('checkbox', { name: `Select ${code}` }).check()
  await page.getByRole('region', { name: 'Selected: 2' }).getByRole('button', { name: 'Set maintenance' }).click()
  await expect(dialog(page)).toContainText('Can be done: 2 of 2')
  const soon = new Date(Date.now() + 2 * 3_600_000 + 3 * 3_600_000)
  await dialog(page).getByLabel('Until').fill(soon.toISOString().slice(0, 16))
  await dialog(page).getByRole('textbox', { name: 'Reason' }).fill('Yearly service')
  await dialog(page).getByRole('button', { name: 'Set maintenance' }).click()
  await expect(notice(page, 'Maintenance: done for 2 records')).toBeVisible()
  await expect(dialog(page)).toBeHidden()
  for (const { id } of sites) expect(await admin.get(`ess/${id}`)).toMatchObject({ maintenance: { reason: 'Yearly service' } })
})

test('a rollout is begun for the boards that are ticked, and takes in these alone', async ({ as, api }) => {
  const admin = await api('admin')
  const { idle, active } = await twoBoards(admin)
  const page = await as('admin', `/control-pcb?id=${idle.id}&id=${active.id}`)
  for (const { code } of [idle, active]) await page.getByRole('checkbox', { name: `Select ${code}` }).check()
  await page.getByRole('region', { name: 'Selected: 2' }).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'New rollout with these' }).click()
  await expect(page).toHaveURL(/\/rollout\/create$/)
  const boards = page.locator('.ant-select', { has: page.getByRole('combobox', { name: 'Only boards of this list' }) })
  for (const { code } of [idle, active]) await expect(boards).toContainText(String(code))
  // They are kept when the page is read again.
  await page.reload()
  for (const { code } of [idle, active]) await expect(boards).toContainText(String(code))
  const [firmware] = await admin.get<{ firmwareVersion: string }[]>(`firmware/for-request-update?controlPcbId=${active.id}`)
  await text(page, 'Name').fill('Ticked')
  await search(page, 'Firmware', String(firmware?.firmwareVersion))
  await expect(page.getByText('1 of 2 included')).toBeVisible()
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(fact(page, 'State')).toHaveText('Draft')
  const made = await admin.first('rollout?name=Ticked')
  expect(made.controlPcbIds).toEqual([idle.id, active.id])
  await admin.send('DELETE', `rollout/${made.id}`)
})

test('a rollout of ticked boards is not offered to those who may not create one', async ({ as, api }) => {
  const { active } = await twoBoards(await api('admin'))
  const page = await as('moderator', `/control-pcb?id=${active.id}`)
  await page.getByRole('checkbox', { name: `Select ${active.code}` }).check()
  await expect(page.getByRole('button', { name: 'Put in quarantine' })).toBeVisible()
  await page.getByRole('region', { name: 'Selected: 1' }).getByRole('button', { name: 'More actions' }).click()
  await expect(page.getByRole('menuitem', { name: 'Capture raw' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'New rollout with these' })).toBeHidden()
})

for (const [width, height] of [
  [390, 844],
  [320, 256],
] as const)
  test(`the bar of ticked rows covers nothing that has the focus: ${width} × ${height}`, async ({ as }) => {
    const page = await as('admin', '/ess')
    await page.setViewportSize({ width, height })
    await page.locator('tbody').getByRole('checkbox').first().check()
    await expect(page.getByRole('button', { name: 'Clear selection' })).toBeVisible()
    /** What has the focus, where the bar lies over all of it. */
    const covered = () =>
      page.evaluate(() => {
        const { activeElement: focused } = document
        const bar = document.querySelector('.view-bulk')
        if (!focused || !bar || bar.contains(focused)) return ''
        const [own, over] = [focused.getBoundingClientRect(), bar.getBoundingClientRect()]
        return own.top > over.top - 8 && own.top < over.bottom ? focused.outerHTML : ''
      })
    for (let step = 0; step < 40; step += 1) {
      await page.keyboard.press('Tab')
      expect(await covered()).toBe('')
    }
  })
