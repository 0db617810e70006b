import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { onePixel } from '#tests/support/image-bytes.ts'
import { seriousFaults } from './support/axe.ts'
import { testChanged } from './support/changed-project.ts'
import { expect } from './support/console.ts'
import { expectFault, fact, text } from './support/form.ts'
import { sitePlan } from './support/site-plan.ts'

const test = testChanged(async (project) => {
  await project.addResource('site-plan.ts', 'sitePlan', sitePlan)
  expect(await project.script('check')).toContain('no fault')
})

const png = (name: string, buffer: Buffer = onePixel) => ({ name, mimeType: 'image/png', buffer })
const paper = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(`about ${name}`) })
const photoInput = (page: Page) => page.locator('input[type=file]').first()
const papersInput = (page: Page) => page.locator('input[type=file]').last()

/** True once the browser has drawn the picture. */
const isDrawn = (page: Page, name: string) =>
  page.getByRole('img', { name }).evaluate((image) => (image as HTMLImageElement).naturalWidth > 0)

test('a file is chosen, previewed, saved, downloaded and replaced', async ({ as, calls }) => {
  const page = await as('moderator', '/site-plan/create')
  await text(page, 'Name').fill('Cabinet 1')
  await photoInput(page).setInputFiles(png('cabinet.png'))
  await expect.poll(() => isDrawn(page, 'cabinet.png')).toBe(true)
  await papersInput(page).setInputFiles(paper('notes.txt'))
  await expect(page.getByRole('button', { name: 'Remove notes.txt' })).toBeVisible()
  expect(await seriousFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('heading', { name: 'Cabinet 1', level: 1 })).toBeVisible()
  await expect.poll(() => isDrawn(page, 'cabinet.png')).toBe(true)
  await expect(fact(page, 'Papers')).toContainText('notes.txt')
  expect(await seriousFaults(page)).toEqual([])
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download cabinet.png' }).click()
  const saved = await download
  expect(saved.suggestedFilename()).toBe('cabinet.png')
  expect((await readFile(await saved.path())).equals(onePixel)).toBe(true)

  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('button', { name: 'Remove cabinet.png' }).click()
  await photoInput(page).setInputFiles(png('newer.png'))
  await expect(page.getByRole('button', { name: 'Remove newer.png' })).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(fact(page, 'Photo')).toContainText('newer.png')
  await expect(fact(page, 'Photo')).not.toContainText('cabinet.png')
  await page.goto('/site-plan')
  await expect(page.getByRole('row').filter({ hasText: 'Cabinet 1' })).toContainText('newer.png')
  expect(calls.filter((call) => call.startsWith('POST /api/files/'))).toHaveLength(3)
})

test('a file that is refused or does not arrive leaves the form as it was typed', async ({ as, complaints }) => {
  const page = await as('moderator', '/site-plan/create')
  await text(page, 'Name').fill('Cabinet 2')
  await photoInput(page).setInputFiles(png('page.png', Buffer.from('<html><script>alert(1)</script></html>')))
  await expect(page.getByRole('alert').filter({ hasText: 'page.png' })).toContainText('not what the name of the file says')
  await photoInput(page).setInputFiles(png('huge.png', Buffer.concat([onePixel, Buffer.alloc(100_000)])))
  await expect(page.getByRole('alert').filter({ hasText: 'huge.png' })).toContainText('at most 100 KB')

  complaints.allow(/ERR_FAILED/)
  await page.route('**/api/files/**', (route) => route.abort())
  await photoInput(page).setInputFiles(png('cabinet.png'))
  await expect(page.getByRole('alert').filter({ hasText: 'cabinet.png' })).toBeVisible()
  await page.unroute('**/api/files/**')
  await page.getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByRole('button', { name: 'Remove cabinet.png' })).toBeVisible()
  await expect(text(page, 'Name')).toHaveValue('Cabinet 2')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('heading', { name: 'Cabinet 2', level: 1 })).toBeVisible()
})

test('several files are chosen at once, as many as there is room for; each other one is told with its reason', async ({
  as,
}) => {
  const page = await as('moderator', '/site-plan/create')
  await text(page, 'Name').fill('Cabinet 9')
  await expect(page.getByText('PNG, JPG, up to 100 KB')).toBeVisible()
  await expect(page.getByText('PDF, TXT, up to 10.0 MB each, at most 2 files')).toBeVisible()
  const program = { ...paper('run.exe'), mimeType: 'application/octet-stream' }
  await papersInput(page).setInputFiles([paper('1.txt'), program, paper('2.txt'), paper('3.txt')])
  for (const name of ['1.txt', '2.txt']) await expect(page.getByRole('button', { name: `Remove ${name}` })).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: 'run.exe' })).toContainText('Choose a file of this kind')
  await expect(page.getByRole('alert').filter({ hasText: '3.txt' })).toContainText('Not taken: at most 2 files are allowed')
  await photoInput(page).setInputFiles(png('cabinet.png'))
  await expect.poll(() => isDrawn(page, 'cabinet.png')).toBe(true)
  expect(await seriousFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(fact(page, 'Papers')).toContainText('2.txt')
})

test('a form waits for a file that is on its way, and can do without it', async ({ as, calls }) => {
  const page = await as('moderator', '/site-plan/create')
  await text(page, 'Name').fill('Cabinet 3')
  await photoInput(page).setInputFiles(png('cabinet.png'))
  await expect(page.getByRole('button', { name: 'Remove cabinet.png' })).toBeVisible()
  await page.route('**/api/files/**', () => undefined)
  await papersInput(page).setInputFiles(paper('slow.txt'))
  await expect(page.getByRole('progressbar', { name: /Sending slow\.txt/ })).toBeVisible()
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('A file is still being sent').first()).toBeVisible()
  expect(calls.filter((call) => call === 'POST /api/site-plan')).toEqual([])
  await page.getByRole('button', { name: 'Stop sending' }).click()
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('heading', { name: 'Cabinet 3', level: 1 })).toBeVisible()
})

test('a required file is asked for, in both languages, and the keyboard reaches it', async ({ as }) => {
  const page = await as('moderator', '/site-plan/create')
  await text(page, 'Name').fill('Cabinet 4')
  await page.getByRole('button', { name: 'Create' }).click()
  const photo = page.getByLabel(/^Photo/)
  await expect(photo).toHaveAccessibleName('Photo')
  await expectFault(photo, /required.*A picture of the cabinet/)
  // Before the keys: the browser is told in its own time that the test takes the chooser over.
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('link', { name: 'Photo' }).press('Enter')
  await expect(photo).toBeFocused()
  await page.keyboard.press('Enter')
  await (await chooser).setFiles(png('by-keyboard.png'))
  await expect(page.getByRole('button', { name: 'Remove by-keyboard.png' })).toBeVisible()
  await page.getByRole('banner').getByRole('button', { name: 'Language EN' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Русский' }).click()
  await expect(page.getByRole('button', { name: 'Убрать by-keyboard.png' })).toBeVisible()
  // The choice is kept in the profile, which other tests sign in with.
  await page.getByRole('banner').getByRole('button', { name: 'Язык RU' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'English' }).click()
  await expect(page.getByRole('button', { name: 'Remove by-keyboard.png' })).toBeVisible()
})
