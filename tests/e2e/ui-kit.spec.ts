import { expect, type Page, test } from '@playwright/test'
import { serveGallery } from '#tests/ui/gallery/build-gallery.ts'
import { seriousFaults } from './support/axe.ts'

let gallery: Awaited<ReturnType<typeof serveGallery>>

test.beforeAll(async () => {
  gallery = await serveGallery()
})

test.afterAll(async () => {
  await gallery.server.close()
})

const open = (page: Page, name: string) => page.goto(`${gallery.address}#/${name}`)

const dialogs = ['Modal', 'Confirm', 'Overlay', 'Notify']

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in the ${colorScheme} look`, () => {
    test.use({ colorScheme })

    for (const name of ['list', 'record', 'form', 'states', 'public']) {
      test(`the ${name} page has no serious fault for those who do not see it`, async ({ page }) => {
        await open(page, name)
        await page.getByRole('heading', { level: 1 }).waitFor()
        if (name === 'form') await page.getByRole('combobox', { name: 'City' }).press('ArrowDown')
        expect(await seriousFaults(page)).toEqual([])
      })
    }

    test('dialogs and notifications have no serious fault for those who do not see them', async ({ page }) => {
      for (const name of dialogs) {
        await page.goto('about:blank')
        await open(page, 'dialogs')
        await page.getByRole('button', { name, exact: true }).click()
        await page.locator('.ant-modal, .ant-notification-notice, .ui-overlay').first().waitFor()
        expect(await seriousFaults(page), name).toEqual([])
      }
    })
  })
}

test('on a phone nothing is wider than the screen', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 })
  for (const name of ['list', 'record', 'form', 'states', 'public', 'dialogs']) {
    await open(page, name)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(390)
  }
})

test('a dialog takes the focus, keeps it, and gives it back', async ({ page }) => {
  await open(page, 'dialogs')
  const opener = page.getByRole('button', { name: 'Confirm', exact: true })
  await opener.press('Enter')
  const field = page.getByRole('textbox', { name: 'Type ESS-10420 to confirm' })
  await expect(field).toBeFocused()
  await expect(page.getByRole('button', { name: 'Delete' })).toBeDisabled()
  await field.fill('ESS-10420')
  await expect(page.getByRole('button', { name: 'Delete' })).toBeEnabled()
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()
})

test('a press meets the button of a dialog from the moment the dialog is there', async ({ page }) => {
  await open(page, 'dialogs')
  // So slow that the place of a button that moves differs from where it comes to rest.
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Animation.enable')
  await devtools.send('Animation.setPlaybackRate', { playbackRate: 0.05 })
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  const cancel = page.getByRole('dialog').getByRole('button', { name: 'Cancel' })
  await cancel.waitFor()
  const first = await cancel.boundingBox()
  await page.waitForTimeout(500)
  expect(await cancel.boundingBox()).toEqual(first)
})

test('a notification can be closed by its button, which says so', async ({ page }) => {
  await open(page, 'dialogs')
  await page.getByRole('button', { name: 'Notify', exact: true }).click()
  const newest = page.getByText('Oops! Error', { exact: true })
  await expect(newest).toBeVisible()
  await page.locator('.ant-notification-notice', { has: newest }).getByRole('button', { name: 'Close' }).press('Enter')
  await expect(newest).toBeHidden()
})

test('a press goes through what says that something went well, but for its button', async ({ page }) => {
  await open(page, 'dialogs')
  await page.getByRole('button', { name: 'Notify', exact: true }).click()
  const saved = page.locator('.ant-notification-notice', { hasText: 'Saved' })
  const isHit = (selector: string) =>
    saved.evaluate((notice, inside) => {
      const { x, y, width, height } = (inside ? notice.querySelector(inside) : notice)?.getBoundingClientRect() ?? new DOMRect()
      return notice.contains(document.elementFromPoint(x + width / 2, y + height / 2))
    }, selector)
  // They lie on each other until one is pointed at; the first of them may still be on its way when the pointer comes.
  await expect(async () => {
    await page.locator('.ant-notification-notice', { hasText: 'Oops! Error' }).hover()
    expect(await isHit('[role=button]')).toBe(true)
  }).toPass()
  expect(await isHit('')).toBe(false)
})

test('the look follows the system, live, unless one is pinned, antd along with the rest', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await open(page, 'form')
  const backgrounds = () =>
    page.evaluate(() =>
      ['.ui-input', '.ant-select-selector'].map((selector) => {
        const element = document.querySelector(selector)
        return element && getComputedStyle(element).backgroundColor
      }),
    )
  await expect.poll(backgrounds).toEqual(['rgb(255, 255, 255)', 'rgb(255, 255, 255)'])
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(backgrounds).toEqual(['rgb(25, 22, 31)', 'rgb(25, 22, 31)'])
  await page.getByRole('button', { name: 'Look' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'light' }).click()
  await expect.poll(backgrounds).toEqual(['rgb(255, 255, 255)', 'rgb(255, 255, 255)'])
  await page.reload()
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('light')
})

test('a list is used from the keyboard alone', async ({ page }) => {
  await open(page, 'list')
  const actions = page.getByRole('button', { name: 'Actions of ESS-10420' })
  await actions.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Restart' })).toBeFocused()
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(actions).toBeFocused()
  await page.getByRole('link', { name: 'ESS-10420', exact: true }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'ESS-10420' })).toBeVisible()
})
