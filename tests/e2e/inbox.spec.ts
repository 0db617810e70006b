import type { Page } from '@playwright/test'
import { type ApiUser, accounts } from './support/api-user.ts'
import { seriousFaults } from './support/axe.ts'
import { expect } from './support/console.ts'
import { dialog, notice, text } from './support/form.ts'
import { demoPassword } from './support/live-server.ts'
import type { TalkingBoard } from './support/talking-board.ts'
import { insulation, precharge, rows, testWithFlags } from './support/warned-inbox.ts'

const test = testWithFlags(insulation)

const focused = (page: Page) => page.locator('[data-row]:focus-within')
const serve = async (admin: ApiUser, board: TalkingBoard) => {
  const { essId } = await admin.first(`control-pcb?id=${board.id}`)
  const { id: userId } = await admin.first('user?email=engineer@example.com')
  await admin.send('POST', `ess/${essId}/invite-service-engineer`, { userId, scope: 'FULL' })
}

test('from signing in to an acknowledged warning an engineer presses no more than twelve keys', async ({
  page,
  api,
  board,
}) => {
  const admin = await api('admin')
  await serve(admin, board)
  let keys = 0
  const press = async (key: string) => {
    keys += 1
    await page.keyboard.press(key)
  }
  await page.goto('/login')
  await expect(page.getByRole('textbox', { name: 'E-mail' })).toBeFocused()
  await page.keyboard.type(accounts.service_engineer)
  await press('Tab')
  await page.keyboard.type(demoPassword)
  await press('Enter')
  await expect(page).toHaveURL(/\/inbox$/)
  await expect(page.getByRole('heading', { name: 'Inbox', level: 1 })).toBeVisible()
  await expect(rows(page).first()).toBeVisible()
  await press('j')
  const id = new URL(page.url()).searchParams.get('id')
  expect(id).not.toBeNull()
  await expect(focused(page)).toHaveCount(1)
  await press('a')
  await expect(text(dialog(page), 'Note')).toBeFocused()
  await press('Enter')
  await expect(notice(page, 'The warning is acknowledged')).toBeVisible()
  expect(await admin.get(`telemetry-warning/${id}`)).toMatchObject({ acknowledged: true })
  expect(keys).toBeLessThanOrEqual(12)
})

test('the inbox gathers open work by its cause or its site, is searched, and shows the record beside the rows', async ({
  as,
  api,
  board,
}) => {
  const admin = await api('admin')
  await board.send(board.frame({ eventFlags: insulation + precharge }))
  const page = await as('admin', `/inbox?q=${board.code}`)
  await expect(rows(page)).toHaveCount(2)
  await expect(page.getByRole('heading', { level: 2 }).filter({ hasText: 'Insulation fault' }).first()).toBeVisible()
  await page.getByRole('combobox', { name: 'Grouping' }).selectOption({ label: 'Grouped by: ESS' })
  await expect(page.locator('.inbox-group')).toHaveCount(1)
  await expect(page).toHaveURL(/by=essId/)

  const record = page.getByRole('region', { name: 'Record' })
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(focused(page)).toHaveCount(1)
  const title = await focused(page).locator('.view-card-title').textContent()
  await expect(record.getByRole('heading', { level: 2 }).first()).toBeVisible()
  // The heading goes on with the system and the board.
  const heading = await record.getByRole('heading', { level: 2 }).first().textContent()
  expect(title).toContain(heading?.split(' · ')[0])
  expect(heading).toContain(board.code)
  await page.keyboard.press('k')
  await page.keyboard.press('x')
  await expect(page.getByRole('region', { name: 'Selected: 1' })).toBeVisible()
  await page.keyboard.press('x')
  await expect(page.getByRole('region', { name: 'Selected: 1' })).toHaveCount(0)

  await page.keyboard.press('m')
  await expect(notice(page, 'The warning is assigned to you')).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  const taken = (await rows(page).textContent())?.includes('Insulation fault') ? 'Precharge failed' : 'Insulation fault'
  await page.getByRole('link', { name: 'Mine', exact: true }).click()
  await expect(rows(page)).toHaveCount(1)
  // The tab before had one row, too.
  await expect(rows(page)).toContainText(taken)
  await page.keyboard.press('j')
  await page.keyboard.press('s')
  await text(dialog(page), 'Reason').fill('Parts are on their way')
  await page.keyboard.press('Enter')
  await expect(notice(page, 'The warning is snoozed')).toBeVisible()
  await expect(page.getByText('Nothing found')).toBeVisible()
  expect(await admin.get(`telemetry-warning?controlPcbId=${board.id}&snoozed=true`)).toHaveLength(1)
})

test('the menu counts what waits, and follows what another person does', async ({ as, api, board }) => {
  const admin = await api('admin')
  const waiting = 'telemetry-warning?active=true&suppressed=false&snoozed=false&assigneeId_null=true'
  const [warning] = await admin.get<{ id: string }[]>(`telemetry-warning?controlPcbId=${board.id}&active=true`)
  const page = await as('moderator', '/ess')
  const entry = page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: /^Inbox/ })
  await expect(entry).toHaveText(`Inbox${await admin.total(waiting)} waiting`)
  await expect(page.getByRole('link', { name: /^Warnings \d+ open$/ })).toBeVisible()
  await admin.send('PUT', `telemetry-warning/${warning?.id}/take`, {})
  await expect(entry).toHaveText(`Inbox${await admin.total(waiting)} waiting`)
})

test('Enter opens the page of the row, and Back leads to the same place of the inbox', async ({ as, board }) => {
  const page = await as('admin', `/inbox?q=${board.code}`)
  await expect(rows(page)).toHaveCount(1)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/telemetry-warning\/[^/]+$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/inbox\?.*id=/)
  await expect(rows(page)).toHaveCount(1)
})

test('the keys work in every list, and ? tells them; what is typed into a field is no key', async ({ as, api }) => {
  const admin = await api('admin')
  const page = await as('admin', '/telemetry-warning?limit=25')
  await expect(page.getByRole('row').nth(2)).toBeVisible()
  const focusedLink = page.locator('a[data-row-link]:focus')
  await expect
    .poll(async () => {
      await page.keyboard.press('j')
      return focusedLink.count()
    })
    .toBe(1)
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keys' })
  await expect(sheet).toContainText('Next row')
  await expect(sheet).toContainText('Acknowledge')
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type('jax?')
  await expect(page.getByRole('searchbox')).toHaveValue('jax?')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await admin.get('telemetry-warning?_end=1')).toHaveLength(1)
})

test('on a phone the record takes the place of the rows, and leads back to them', async ({ as, board }) => {
  const page = await as('admin', '/about')
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto(`/inbox?q=${board.code}`)
  await expect(rows(page)).toHaveCount(1)
  await expect(page.getByRole('region', { name: 'Record' })).toHaveCount(0)
  await expect.poll(() => page.evaluate(() => document.scrollingElement?.scrollWidth)).toBe(390)
  await rows(page).getByRole('link').click()
  await expect(page.getByRole('heading', { name: 'What it means' })).toBeVisible()
  await expect(rows(page)).toHaveCount(0)
  await expect.poll(() => page.evaluate(() => document.scrollingElement?.scrollWidth)).toBe(390)
  await page.getByRole('link', { name: 'Back to the inbox' }).click()
  await expect(rows(page)).toHaveCount(1)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in the ${colorScheme} look`, () => {
    test.use({ colorScheme })

    test('the inbox has no serious fault, in Russian either', async ({ as, board, page: own }) => {
      await own.addInitScript(() => localStorage.setItem('ess-console.language', 'ru'))
      const page = await as('admin', `/inbox?q=${board.code}`)
      await expect(rows(page)).toHaveCount(1)
      await expect(page.getByRole('heading', { name: 'Что это значит' })).toBeVisible()
      expect(await seriousFaults(page)).toEqual([])
      await page.keyboard.press('?')
      await expect(page.getByRole('dialog', { name: 'Клавиши' })).toBeVisible()
      expect(await seriousFaults(page)).toEqual([])
    })
  })
}

test('keys go on with the next row when the action of a dialog has taken the selected one out of the list', async ({
  as,
  api,
  board,
}) => {
  await board.send(board.frame({ eventFlags: insulation + precharge }))
  const page = await as('admin', `/inbox?q=${board.code}`)
  await expect(rows(page)).toHaveCount(2)
  await page.keyboard.press('j')
  const [first, second] = await rows(page).locator('.view-card-title').allTextContents()
  await expect(focused(page)).toContainText(first ?? 'none')
  await page.keyboard.press('s')
  await text(dialog(page), 'Reason').fill('Parts are on their way')
  await page.keyboard.press('Enter')
  await expect(rows(page)).toHaveCount(1)
  await expect(focused(page)).toContainText(second ?? 'none')
  await expect(page.getByRole('region', { name: 'Record' })).toContainText(/Precharge failed|Insulation fault/)
  await page.keyboard.press('a')
  await expect(text(dialog(page), 'Note')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(notice(page, 'The warning is acknowledged')).toBeVisible()
  const open = await (await api('admin')).get(`telemetry-warning?controlPcbId=${board.id}&snoozed=false&acknowledged=true`)
  expect(open).toHaveLength(1)
  await expect(dialog(page)).toBeHidden()
  await page.keyboard.press('a')
  await expect(notice(page, '“Acknowledge” is not possible here')).toContainText('Needed: “Acknowledged” is No')
})

test('? tells on every page which keys work there, and the account menu leads to it as well', async ({ as }) => {
  const page = await as('admin', '/')
  const sheet = page.getByRole('dialog', { name: 'Keys' })
  const asked = async (heading: string, key: string) => {
    await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible()
    await expect
      .poll(async () => {
        await page.keyboard.press('?')
        return sheet.isVisible()
      })
      .toBe(true)
    await expect(sheet).toContainText(key)
    const told = await sheet.textContent()
    await page.keyboard.press('Escape')
    await expect(sheet).toBeHidden()
    return told
  }
  const onDashboard = await asked('Dashboard', 'Page, record or command')
  expect(onDashboard).not.toContain('Next row')
  expect(onDashboard).not.toContain('Save a form')
  await page.goto('/user/create')
  await page.getByRole('heading', { level: 1 }).click()
  await asked('New User', 'Save a form')
  await page.goto('/audit-log')
  const onList = await asked('Audit log', 'Next row')
  expect(onList).not.toContain('Acknowledge')
  await page.goto('/profile')
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Keys (?)' }).click()
  await expect(sheet).toContainText('This list of keys')
})
