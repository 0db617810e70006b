import type { Page, Route } from '@playwright/test'
import { accountPassword, newAccount } from './support/accounts.ts'
import { ApiUser } from './support/api-user.ts'
import { expect, test } from './support/console.ts'
import { dialog, expectFault, list, notice, text } from './support/form.ts'
import { newBoard, newEss, newUser } from './support/records.ts'

test('the head of a long list stays in sight, and the first tick moves no row', async ({ as }) => {
  const page = await as('admin', '/user?limit=100')
  const row = page.getByRole('row').nth(1)
  await expect(row).toBeVisible()
  const before = await row.boundingBox()
  await row.getByRole('checkbox').check()
  const bar = page.getByRole('region', { name: 'Selected: 1' })
  await expect(bar).toBeVisible()
  expect((await row.boundingBox())?.y).toBe(before?.y)
  const last = page.getByRole('row').nth(60)
  await last.scrollIntoViewIfNeeded()
  await last.getByRole('checkbox').check()
  await expect(page.getByRole('region', { name: 'Selected: 2' })).toBeInViewport()
  await expect(page.getByRole('columnheader', { name: 'E-mail' })).toBeInViewport()
})

test('the bar of a selection lies in one line over the content, and never over the menu', async ({ as }) => {
  const page = await as('admin', '/control-pcb')
  await page.getByRole('row').nth(1).getByRole('checkbox').check()
  const bar = page.getByRole('region', { name: 'Selected: 1' })
  for (const width of [1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 800 })
    const [box, menu] = [await bar.boundingBox(), await page.getByRole('navigation').first().boundingBox()]
    expect(box?.height, `at ${width} px`).toBeLessThan(56)
    expect(box?.x, `at ${width} px`).toBeGreaterThan((menu?.x ?? 0) + (menu?.width ?? 0))
  }
})

test('the keyboard goes on in the list when many are done, with or without results to read', async ({ as, api }) => {
  const admin = await api('admin')
  const users = [await newUser(admin), await newUser(admin)]
  const page = await as('admin', `/user?id=${users[0]?.id}&id=${users[1]?.id}`)
  const lock = async (count: number) => {
    for (const { email } of users.slice(0, count)) await page.getByRole('checkbox', { name: `Select ${email}` }).check()
    const bar = page.getByRole('region', { name: `Selected: ${count}` })
    await bar.getByRole('button', { name: 'Lock', exact: true }).click()
    await dialog(page).getByRole('button', { name: 'Lock', exact: true }).click()
  }
  await lock(1)
  await expect(notice(page, 'Lock: done for 1 record')).toBeVisible()
  await expect(dialog(page)).toBeHidden()
  await expect(page.getByRole('region', { name: 'Users' })).toBeFocused()
  await lock(2)
  const results = page.getByRole('dialog', { name: 'Lock: results' })
  await expect(results).toContainText('Done: 1, failed: 0, skipped: 1')
  await results.getByRole('button', { name: 'Close' }).last().click()
  await expect(results).toBeHidden()
  await expect(page.getByRole('region', { name: 'Users' })).toBeFocused()
})

test('setting an owner shows the present one, and names who loses access', async ({ as, api }) => {
  const admin = await api('admin')
  const ess = await newEss(admin)
  const [owner, guest] = [
    await admin.first('user/client?email=client015@example.com'),
    await admin.first('user/client?email=client016@example.com'),
  ]
  await admin.send('PUT', `ess/${ess.id}/owner`, { clientId: owner.id })
  await admin.send('POST', `ess/${ess.id}/invite-guest`, { userId: guest.id })
  const page = await as('admin', `/ess/${ess.id}`)
  await page.getByRole('button', { name: 'Set owner' }).click()
  await expect(dialog(page)).toContainText('A new owner ends the access of')
  await expect(dialog(page).getByRole('listitem')).toHaveText([String(guest.name)])
  await expect(list(page, 'Owner')).toHaveAccessibleDescription(new RegExp(String(owner.name)))
  await dialog(page).getByRole('button', { name: 'Set owner' }).click()
  await expectFault(list(page, 'Owner'), /This is so already/)
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog(page)).toBeHidden()
  expect(await admin.get(`ess/${ess.id}`)).toMatchObject({ ownerId: owner.id })
})

test('nothing is offered that is refused in any case', async ({ as, api }) => {
  const admin = await api('admin')
  const user = await newUser(admin)
  await admin.send('DELETE', `user/${user.id}`)
  const page = await as('admin', `/user/${user.id}`)
  await expect(page.getByRole('button', { name: 'Restore' })).toBeVisible()
  const more = page.getByRole('main').getByRole('button', { name: 'More actions' })
  if (await more.isVisible()) {
    await more.click()
    await expect(page.getByRole('menuitem', { name: 'Delete' })).toHaveCount(0)
  }
  const board = await newBoard(admin)
  await admin.send('PUT', `control-pcb/${board.id}`, { version: board.version, lifecycle: 'ACTIVE' })
  const [firmware] = await admin.get<{ id: string }[]>(`firmware/for-request-update?controlPcbId=${board.id}`)
  const controlPcbIds = [board.id]
  const made = await admin.send('POST', 'rollout', { name: 'Desk', firmwareId: firmware?.id, controlPcbIds })
  await page.goto(`/rollout/${made.id}`)
  const edit = page.getByRole('main').getByRole('link', { name: 'Edit' })
  await expect(edit).toBeVisible()
  await admin.send('PUT', `rollout/${made.id}/start`)
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
  await expect(edit).toBeHidden()
})

test('a conflict comes into sight, with who and when', async ({ as, api, complaints }) => {
  // The refusal, and the stream of events that is cut below where it opens late.
  complaints.allow(/409/, /net::ERR_FAILED/)
  const admin = await api('admin')
  const moderator = await api('moderator')
  const ess = await newEss(admin)
  const page = await as('admin', `/ess/${ess.id}/edit`)
  await text(page, 'Name').fill('Mine')
  // The page must not hear of the change before it saves.
  await page.route('**/api/events?*', (route) => route.abort())
  await page.route(`**/api/ess/${ess.id}`, async (route) => {
    if (route.request().method() === 'PUT')
      await moderator.send('PUT', `ess/${ess.id}`, { name: 'Theirs', version: ess.version }).catch(() => undefined)
    await route.fallback()
  })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const panel = page.getByRole('alert').filter({ hasText: 'This record has changed since you opened it' })
  await expect(panel).toBeInViewport()
  await expect(panel).toBeFocused()
  await expect(panel).toContainText('Milan Moderator')
})

test('codes and numbers of bytes are taken as they are written on a label', async ({ as, api }) => {
  const admin = await api('admin')
  const page = await as('admin', '/control-pcb/create')
  const serial = Date.now().toString(16).slice(-6)
  await text(page, 'Code').fill(`pcb-${serial}`)
  await text(page, 'Uid').fill(`e7 c6:62 ${serial.replace(/(..)/g, '$1 ')}`)
  await text(page, 'Hardware').fill('a1')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('does not have the expected form')).toHaveCount(0)
  await expect(page.getByText('Use 12 hexadecimal digits')).toHaveCount(0)
  await expect.poll(() => admin.get(`control-pcb?uid=${`E7C662${serial}`.toUpperCase()}`)).toHaveLength(1)
})

test('a deleted user is restored by an admin from his page, and may sign in again', async ({ as, api, server }) => {
  const admin = await api('admin')
  const { id, email } = await newAccount(server.url, admin, 'service_engineer')
  await admin.send('DELETE', `user/${id}`)
  await expect(ApiUser.signIn(server.url, email, accountPassword)).rejects.toThrow(/can not sign in: 4/)
  const page = await as('admin', `/user/${id}`)
  await page.getByRole('button', { name: 'Restore' }).click()
  await dialog(page).getByRole('button', { name: 'Restore' }).click()
  await expect(dialog(page)).toBeHidden()
  await expect(page.getByRole('button', { name: 'Restore' })).toBeHidden()
  expect(await admin.get(`user/${id}`)).toMatchObject({ deletedAt: null })
  await ApiUser.signIn(server.url, email, accountPassword)
})

test('a comment that was typed is there again after the page was left, and warnings are found by their site', async ({
  as,
  api,
}) => {
  const admin = await api('admin')
  const [warning] = await admin.get<{ id: string; controlPcbId: string }[]>('telemetry-warning?controlPcbId_null=false&_end=1')
  const page = await as('admin', `/telemetry-warning/${warning?.id}`)
  await text(page, 'Add a comment').fill('Half a thought')
  await page.goto('/about')
  await page.goto(`/telemetry-warning/${warning?.id}`)
  await expect(text(page, 'Add a comment')).toHaveValue('Half a thought')
  await page.goto('/telemetry-warning')
  await page.getByRole('link', { name: 'Assigned to me' }).click()
  await expect(page).toHaveURL(/assigneeId=/)
})

/** Buttons and links of the page, of its dialogs and of the bar of many that a toast lies over, on a phone and on a desk. */
async function coveredBy(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    const covered = await page.locator('.ant-notification-notice').evaluateAll((toasts) => {
      // Parts under the bar above the page are out of reach anyway.
      const barEnd = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
      return [...document.querySelectorAll('main :is(button, a, input), [role=dialog] button, .view-bulk button')]
        .filter((each) => each.checkVisibility())
        .filter((each) => {
          const own = each.getBoundingClientRect()
          return toasts
            .map((toast) => toast.getBoundingClientRect())
            .some(({ left, right, bottom }) => own.left < right && own.right > left && Math.max(own.top, barEnd) < bottom)
        })
        .map((each) => each.getAttribute('aria-label') ?? each.textContent ?? '')
    })
    found.push(...covered.map((name) => `${width}: ${name}`))
  }
  return found
}

/** Buttons of the bar above the page that a press does not reach. */
const unreachable = (page: Page) =>
  page.locator('header :is(button, a)').evaluateAll((buttons) =>
    buttons
      .filter((button) => button.checkVisibility())
      .filter((button) => {
        const { left, top, width, height } = button.getBoundingClientRect()
        return !button.contains(document.elementFromPoint(left + width / 2, top + height / 2))
      })
      .map((button) => button.getAttribute('aria-label') ?? button.textContent),
  )

test('a toast lies over no button of list, pager, form and dialog', async ({ as, api }) => {
  const page = await as('admin', '/user?limit=25')
  const json = { statusCode: 400, error: 'Bad Request', message: 'The server refuses it at present', code: 'x' }
  const refuse = (route: Route) => route.fulfill({ status: 400, json })
  const toast = notice(page, 'refuses it')
  await page.route('**/api/export/**', refuse)
  await page.getByRole('row').nth(1).getByRole('checkbox').check()
  await expect(page.getByRole('region', { name: 'Selected: 1' })).toBeVisible()
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await expect(toast).toBeVisible()
  expect(await coveredBy(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 800 })
  // The menu slides out of the narrower page first.
  await expect.poll(() => unreachable(page), { timeout: 2_000 }).toEqual([])
  await expect(toast).toBeVisible()
  await page.getByRole('navigation', { name: 'Pages' }).scrollIntoViewIfNeeded()
  expect(await coveredBy(page)).toEqual([])

  const user = await newUser(await api('admin'))
  await page.route(`**/api/user/${user.id}**`, (route) =>
    route.request().method() === 'GET' ? route.fallback() : refuse(route),
  )
  await page.goto(`/user/${user.id}`)
  await page.getByRole('button', { name: 'Lock', exact: true }).click()
  await page.route(`**/api/user/${user.id}/lock`, refuse)
  await dialog(page).getByRole('button', { name: 'Lock' }).click()
  await expect(toast).toBeVisible()
  expect(await coveredBy(page)).toEqual([])

  await page.goto(`/user/${user.id}/edit`)
  await text(page, 'First name').fill('Other')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(toast).toBeVisible()
  expect(await coveredBy(page)).toEqual([])
})
