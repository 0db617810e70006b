import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { seriousFaults } from './support/axe.ts'
import { expect, test } from './support/console.ts'
import { dialog, text } from './support/form.ts'
import { newBoard } from './support/records.ts'

const client = join(import.meta.dirname, '../../examples/device/board.py')
const soon = { timeout: 30_000 }
const step = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

let child: ChildProcess | undefined
let folder: string | undefined
test.afterEach(async () => {
  child?.kill()
  if (folder) await rm(folder, { recursive: true, force: true })
})

/** The board of the examples as a process of its own, with a key in a file. */
async function startBoard(address: string, uid: string, key: string): Promise<void> {
  folder ??= await mkdtemp(join(tmpdir(), 'ess-connect-'))
  await writeFile(join(folder, 'key'), key)
  child?.kill()
  const given = ['-B', client, '--server', address, '--uid', uid, '--folder', folder, '--every', '0.5', '--first-wait', '0.2']
  child = spawn('python3', given, { stdio: 'ignore' })
}

test('a real board is connected: the page shows how, what is wrong, and each step as it is done', async ({
  as,
  api,
  server,
}) => {
  const board = await newBoard(await api('admin'))
  const uid = String(board.uid)
  const page = await as('admin', `/control-pcb/${board.id}/connect`)
  await expect(step(page, 'The board has a key')).toHaveAttribute('data-state', 'FAILED')
  await expect(page.getByText(`${server.url}/api/device/v1/frames`).first()).toBeVisible()
  await expect(page.getByRole('region', { name: 'Example board in Python' })).toContainText(`--uid ${uid} --folder board`)

  await page.getByRole('button', { name: 'Create key' }).click()
  await dialog(page).getByRole('button', { name: 'Create key' }).click()
  const key = await text(dialog(page), 'Device key').inputValue()
  await dialog(page).getByRole('button', { name: 'I have stored it' }).click()
  await expect(step(page, 'The board has a key')).toHaveAttribute('data-state', 'DONE', soon)
  await expect(page.getByRole('main')).not.toContainText('Create a device key')
  expect(await page.content()).not.toContain(key)

  await startBoard(server.url, 'FFEE00112233', key)
  await expect(step(page, 'First packet came')).toContainText('with the uid FFEE00112233', soon)
  await expect(step(page, 'First packet came')).toHaveAttribute('data-state', 'FAILED')

  await startBoard(server.url, uid, key)
  for (const name of ['First packet came', 'Its clock is right', 'First telemetry was read', 'The configuration was taken'])
    await expect(step(page, name)).toHaveAttribute('data-state', 'DONE', soon)
  expect(await seriousFaults(page)).toEqual([])
})

test('the page of a connection is in Russian, too, and fits a phone', async ({ as, api, page: own }) => {
  await own.addInitScript(() => localStorage.setItem('ess-console.language', 'ru'))
  const board = await newBoard(await api('admin'))
  const page = await as('moderator', `/control-pcb/${board.id}/connect`)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('heading', { name: 'Ход подключения' })).toBeVisible()
  await expect(page.getByText('Администратор создаёт ключ и вносит его в плату.')).toBeVisible()
  await expect.poll(() => page.evaluate(() => document.scrollingElement?.scrollWidth)).toBe(390)
  expect(await seriousFaults(page)).toEqual([])
})
