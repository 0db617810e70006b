import type { Locator, Page } from '@playwright/test'
import { accounts } from './support/api-user.ts'
import { expect, test } from './support/console.ts'
import { list, notice } from './support/form.ts'
import { demoPassword } from './support/live-server.ts'
import { newUser } from './support/records.ts'

/** Goes on with Tab until the element has the focus. */
async function tabTo(page: Page, element: Locator, most = 60) {
  for (let step = 0; step < most; step += 1) {
    if (await element.evaluate((node) => node === document.activeElement).catch(() => false)) return
    await page.keyboard.press('Tab')
  }
  await expect(element).toBeFocused({ timeout: 100 })
}

test('the whole way is walked without a mouse: sign in, list, record, menu, action, dialog', async ({ page, api }) => {
  const user = await newUser(await api('admin'))
  await page.goto('/login')
  await tabTo(page, page.getByLabel('E-mail'))
  await page.keyboard.type(accounts.admin)
  await tabTo(page, page.getByLabel('Password', { exact: true }))
  await page.keyboard.type(demoPassword)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()

  await tabTo(page, page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Users' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Users', level: 1 })).toBeVisible()
  await expect(page.getByRole('searchbox')).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type(String(user.email))
  await expect(page.getByRole('row')).toHaveCount(2)

  await tabTo(page, page.getByRole('button', { name: `More actions: ${user.email}` }))
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: `More actions: ${user.email}` })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await tabTo(page, page.getByRole('link', { name: String(user.email) }), 6)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: String(user.email), level: 1 })).toBeVisible()

  const opener = page.getByRole('main').getByRole('button', { name: 'Lock', exact: true })
  await tabTo(page, opener)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  const reason = dialog.getByRole('textbox', { name: 'Reason' })
  await expect(reason).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(reason).toBeFocused()
  await page.keyboard.type('By keyboard')
  await page.keyboard.press('Enter')
  await expect(notice(page, 'The user is locked')).toBeVisible()
  expect(await (await api('admin')).get(`user/${user.id}`)).toMatchObject({ status: 'LOCKED', lockedReason: 'By keyboard' })
})

test('the first Tab offers to skip the menu', async ({ as }) => {
  const page = await as('admin', '/ess?sort=code')
  await expect(page.getByRole('link', { name: 'ESS-000001' })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  const isInMain = await page.evaluate(() => document.querySelector('main')?.contains(document.activeElement))
  expect(isInMain).toBe(true)
})

test('what is typed right behind the key of the palette goes into it', async ({ as }) => {
  const page = await as('admin', '/')
  await expect
    .poll(() => page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/palette-'))))
    .toBe(true)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('ESS-0000')
  await expect(page.getByRole('combobox', { name: 'Page, record or command' })).toHaveValue('ESS-0000')
})

test('on the sign-in page Tab leads from the e-mail to the password, and Enter signs in', async ({ page }) => {
  await page.goto('/login')
  await expect(page.getByRole('textbox', { name: 'E-mail' })).toBeFocused()
  await page.keyboard.type(accounts.admin)
  await page.keyboard.press('Tab')
  await page.keyboard.type(demoPassword)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
})

test('the palette opens by its key, finds a page and goes there', async ({ as }) => {
  const page = await as('admin', '/')
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Page, record or command' })).toBeFocused()
  await page.keyboard.type('firmw')
  await expect(page.getByRole('option', { name: /Firmware/ }).first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Firmware', level: 1 })).toBeVisible()
})

test('a link shows that it has the focus, where the kit’s inputs are on the page, too', async ({ as }) => {
  const page = await as('admin', '/user/create')
  await expect(list(page, 'Role')).toBeVisible()
  const link = page.getByRole('main').getByRole('link', { name: 'Users' })
  await tabTo(page, link)
  expect(await link.evaluate((node) => getComputedStyle(node).outlineStyle)).toBe('solid')
})

/** Bar that covers the middle of the element with the focus, or `nothing`; undefined outside of the page’s content. */
const coverOfFocus = (page: Page) =>
  page.evaluate(() => {
    const node = document.activeElement
    if (!node?.closest('main')) return undefined
    const { x, y, width, height } = node.getBoundingClientRect()
    const bar = document.elementFromPoint(x + width / 2, y + height / 2)?.closest('header, .form-foot')
    return bar && !bar.contains(node) ? `${node.getAttribute('aria-label') ?? node.id}: ${bar.className}` : 'nothing'
  })

test('nothing gets the focus under the bars above and below the page, forwards and backwards', async ({ as }) => {
  test.slow()
  const page = await as('admin', '/')
  for (const [path, heading, key] of [
    ['/configuration-template/create', /^New/, 'Tab'],
    ['/profile', 'Profile', 'Shift+Tab'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible()
    await expect(page.locator('main :is([aria-busy=true], .ui-skeleton)')).toHaveCount(0)
    const covered: string[] = []
    for (let step = 0; step < 70; step += 1) {
      await page.keyboard.press(key)
      covered.push(...[(await coverOfFocus(page)) ?? []].flat())
    }
    expect(covered.length, path).toBeGreaterThan(5)
    expect(new Set(covered), path).toEqual(new Set(['nothing']))
  }
})

test('Escape gives the focus back to the button of a dialog, of one that had to load first, too', async ({ as, api }) => {
  const admin = await api('admin')
  const board = await admin.first('control-pcb?essId_null=false&_end=1')
  const page = await as('admin', `/control-pcb/${board.id}`)
  const edit = page.getByRole('button', { name: 'Edit configuration' })
  await tabTo(page, edit)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(edit).toBeFocused()
  await page.goto('/profile')
  const setUp = page.getByRole('button', { name: 'Set up an app' })
  await setUp.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('textbox').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(setUp).toBeFocused()
})

test('a list is a stop of the Tab key while it scrolls, and the arrows then move it', async ({ as }) => {
  const page = await as('admin', '/ess')
  await page.setViewportSize({ width: 1920, height: 900 })
  const table = page
    .getByRole('main')
    .getByRole('region')
    .filter({ has: page.getByRole('table') })
    .first()
  await expect(table.getByRole('link').first()).toBeVisible()
  await expect(table).toHaveAttribute('tabindex', '-1')
  await page.setViewportSize({ width: 820, height: 900 })
  await expect(table).toHaveAttribute('tabindex', '0')
  await page.getByRole('searchbox').focus()
  await tabTo(page, table)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => table.evaluate((box) => box.scrollLeft)).toBeGreaterThan(0)
})

test('the menu of filters has the usual ones first, those of every record last, and finds one by its letters', async ({
  as,
}) => {
  const page = await as('admin', '/ess')
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  const menu = page.getByRole('menu', { name: 'Filters' })
  await expect(menu.getByRole('separator')).toHaveCount(2)
  await expect(menu.getByRole('menuitem').first()).toHaveText('Connection')
  await page.keyboard.type('time z')
  await expect(menu.getByRole('menuitem', { name: 'Time zone' })).toBeFocused()
})
