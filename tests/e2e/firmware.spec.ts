import { Buffer } from 'node:buffer'
import type { Page } from '@playwright/test'
import { buildImage } from '#server/fleet/firmware/image-header.ts'
import { expect, test } from './support/console.ts'
import { choose, dialog, fact, notice, openList, pick, text } from './support/form.ts'

const image = (firmwareVersion: string) =>
  buildImage({ firmwareVersion, hardwareRevisions: ['A1', 'B1'], payload: Buffer.alloc(70_000, firmwareVersion) })

const upload = (page: Page, buffer: Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name: 'ess-pcb.bin', mimeType: 'application/octet-stream', buffer })

const create = (page: Page) => page.getByRole('button', { name: 'Create' }).click()

test('an image is uploaded as one file, and what it is, is read from it', async ({ as, page: own }) => {
  const parts: string[] = []
  await own.exposeFunction('tellPart', (name: string) => parts.push(name))
  await own.addInitScript(() => {
    const { send } = XMLHttpRequest.prototype
    XMLHttpRequest.prototype.send = function (body) {
      if (body instanceof FormData) for (const name of body.keys()) Reflect.get(window, 'tellPart')(name)
      return send.call(this, body)
    }
  })
  const page = await as('admin', '/firmware/create')
  await upload(page, image('7.1.0'))
  await expect(page.getByText('ess-pcb.bin')).toBeVisible()
  await create(page)
  await expect(page.getByRole('heading', { name: '7.1.0', level: 1 })).toBeVisible()
  await expect(fact(page, 'Hardware')).toHaveText(/A1\s*B1/)
  await expect(fact(page, 'Status')).toHaveText('Draft')
  await expect(fact(page, 'File')).toContainText('68.4 KB')
  expect(parts).toEqual(['file'])
})

test('a new image is asked for its file alone, since nothing else is sent, and its notes are written afterwards', async ({
  as,
}) => {
  const page = await as('admin', '/firmware/create')
  await expect(page.getByRole('button', { name: 'Create' })).toBeVisible()
  await expect(page.locator('main form label')).toHaveCount(1)
  await expect(page.locator('main form label')).toHaveText(/^File/)
  await upload(page, image('7.5.0'))
  await create(page)
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await text(page, 'Release notes').fill('Calmer fans')
  await page.getByRole('switch', { name: 'Mandatory' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(fact(page, 'Release notes')).toHaveText('Calmer fans')
  await expect(fact(page, 'Mandatory')).toHaveText('Yes')
})

test('a file is chosen and taken back by keyboard, and a missing one has the focus and its fault', async ({
  as,
  page: own,
}) => {
  let choosers = 0
  own.on('filechooser', () => {
    choosers += 1
  })
  const page = await as('admin', '/firmware/create')
  const input = page.getByLabel(/^File/)
  // What keeps the focus is loaded while the page is idle, with the overview of keys.
  await expect(async () => {
    await page.keyboard.press('?')
    await expect(dialog(page)).toBeVisible({ timeout: 500 })
  }).toPass()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await create(page)
  await expect(input).toBeFocused()
  await expect(input).toHaveAccessibleDescription(/This field is required/)
  await expect(input).toHaveAttribute('aria-invalid', 'true')
  const opened = page.waitForEvent('filechooser')
  await page.keyboard.press('Enter')
  await (await opened).setFiles({ name: 'ess-pcb.bin', mimeType: 'application/octet-stream', buffer: image('7.6.0') })
  const remove = page.getByRole('button', { name: 'Remove file' })
  await expect(remove).toBeFocused()
  expect(choosers).toBe(1)
  await page.keyboard.press('Enter')
  await expect(input).toBeFocused()
  await input.click()
  await expect.poll(() => choosers).toBe(2)
})

test('an upload over a slow line shows how far it is', async ({ as }) => {
  const page = await as('admin', '/firmware/create')
  await upload(page, image('7.7.0'))
  const line = await page.context().newCDPSession(page)
  const slow = { offline: false, latency: 20, downloadThroughput: -1, uploadThroughput: 24 * 1024 }
  await line.send('Network.emulateNetworkConditions', slow)
  await create(page)
  await expect(page.getByRole('progressbar', { name: /% sent$/ })).toBeVisible()
  await line.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 })
  await expect(page.getByRole('heading', { name: '7.7.0', level: 1 })).toBeVisible()
})

test('its status moves along the allowed ways only, with a reason where one is needed', async ({ as, api, calls }) => {
  const page = await as('admin', '/firmware/create')
  await upload(page, image('7.2.0'))
  await create(page)
  await page.getByRole('button', { name: 'Change status' }).click()
  await openList(page, 'New status')
  await expect(page.getByRole('option', { name: 'Testing' })).toBeVisible()
  await expect(page.getByRole('option', { name: 'Released' })).toBeHidden()
  await pick(page, 'Testing')
  await dialog(page).getByRole('button', { name: 'Change status' }).click()
  await expect(notice(page, 'The status is changed')).toBeVisible()
  await expect(dialog(page)).toBeHidden()
  await expect(fact(page, 'Status')).toHaveText('Testing')
  await expect(dialog(page)).toBeHidden()

  await page.getByRole('button', { name: 'Change status' }).click()
  await choose(page, 'New status', 'Released')
  await dialog(page).getByRole('button', { name: 'Change status' }).click()
  // No board has proved it yet: an admin may release it all the same, and says why.
  await expect(notice(page, 'Oops! Error')).toHaveCount(1)
  await text(dialog(page), 'Reason').fill('Proved on the bench')
  await dialog(page).getByRole('button', { name: 'Change status' }).click()
  await expect(fact(page, 'Status')).toHaveText('Released')
  const stored = await (await api('admin')).first('firmware?firmwareVersion=7.2.0')
  expect(stored).toMatchObject({ status: 'RELEASED', statusReason: 'Proved on the bench' })
  expect(calls.filter((call) => call === `PUT /api/firmware/${stored.id}/status`)).toHaveLength(3)
})

test('a damaged image is refused in the words of the server, and the form keeps the file', async ({ as, api }) => {
  const damaged = image('7.3.0')
  damaged.writeUInt8(damaged.readUInt8(5_000) ^ 0xff, 5_000)
  const page = await as('admin', '/firmware/create')
  await upload(page, damaged)
  await create(page)
  await expect(notice(page, 'Oops! Error')).toContainText(/checksum of the image is wrong/)
  await expect(page.getByRole('alert')).toContainText(/checksum of the image is wrong/)
  await expect(page.getByText('ess-pcb.bin')).toBeVisible()
  expect(await (await api('admin')).get('firmware?firmwareVersion=7.3.0')).toEqual([])
  await page.getByRole('button', { name: 'Remove file' }).click()
  await upload(page, image('7.3.0'))
  await create(page)
  await expect(page.getByRole('heading', { name: '7.3.0', level: 1 })).toBeVisible()
})

test('a moderator puts an image to the test, and is offered nothing that only an admin may', async ({ as }) => {
  const page = await as('moderator', '/firmware/create')
  await upload(page, image('7.4.0'))
  await create(page)
  await expect(page.getByRole('heading', { name: '7.4.0', level: 1 })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Change status' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Start testing' }).click()
  await dialog(page).getByRole('button', { name: 'Start testing' }).click()
  await expect(fact(page, 'Status')).toHaveText('Testing')
  await expect(page.getByRole('button', { name: 'Start testing' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Edit', exact: true })).toBeVisible()
})
