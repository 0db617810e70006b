import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { test as base, expect } from './support/console.ts'
import { startFleet } from './support/live-server.ts'

const root = process.cwd()

async function buildConsole(outDir: string, version: string): Promise<void> {
  process.env.VITE_APP_VERSION = version
  try {
    await build({ root, logLevel: 'error', environments: { client: { build: { outDir, emptyOutDir: true } } } })
  } finally {
    delete process.env.VITE_APP_VERSION
  }
}

/** A release that is replaced while a page of it is open. */
const test = base.extend<{ release: { url: string; replace: () => Promise<void> } }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's form
  release: async ({}, use) => {
    const dir = await mkdtemp(join(tmpdir(), 'ess-release-'))
    const console = join(dir, 'dist/console')
    await cp(join(root, 'dist/console'), console, { recursive: true })
    await mkdir(join(dir, 'dist/server'))
    for (const file of ['main.mjs', 'pglite-worker.mjs'])
      await cp(join(root, 'dist/server', file), join(dir, 'dist/server', file))
    await symlink(join(root, 'node_modules'), join(dir, 'node_modules'))
    const server = await startFleet({ dir })
    const replace = () => buildConsole(console, '9.9.9')
    await use({ url: server.url, replace })
    await server.stop()
    await rm(dir, { recursive: true, force: true })
  },
})

test.setTimeout(180_000)

test('a page that is older than the server says so in its own language, and one press brings the new one', async ({
  page,
  release,
  complaints,
}) => {
  complaints.allow(/Failed to load|dynamically imported module|a foreign host/)
  await page.addInitScript(() => localStorage.setItem('ess-console.language', 'ru'))
  await page.goto(`${release.url}/login`)
  await expect(page.getByRole('heading', { level: 1, name: 'Вход' })).toBeVisible()
  await release.replace()
  await page.getByRole('link', { name: 'О системе' }).click()
  await expect(page.getByText('У вас устаревшая версия страницы').first()).toBeVisible()
  await page.getByRole('button', { name: 'Обновить страницу' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'О системе' })).toBeVisible()
  await expect(page.getByText('9.9.9')).toBeVisible()
  await expect(page.getByText('У вас устаревшая версия страницы')).toHaveCount(0)
})
