import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { ApiUser, accounts } from './support/api-user.ts'
import { signInPage } from './support/console.ts'
import { startServer } from './support/live-server.ts'
import { copyProject } from './support/own-project.ts'

test('one command builds what is missing, fills an empty folder and serves; the next start builds nothing', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const project = await copyProject()
  const start = () => startServer({ dir: project.dir, dataDir: join(project.dir, 'data'), program: 'server/start.mjs' })
  const builtAt = async () => (await stat(join(project.dir, 'dist/server/main.mjs'))).mtimeMs
  try {
    const first = await start()
    const madeAt = await builtAt()
    await page.goto(first.url)
    await page.getByRole('textbox', { name: 'E-mail' }).fill(accounts.admin)
    await page.getByLabel('Password', { exact: true }).fill('demo-password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'ESS', exact: true }).click()
    await expect(page.getByText('1–25 of 200')).toBeVisible()
    await first.stop()

    const second = await start()
    expect(await (await ApiUser.signIn(second.url, accounts.admin)).total('ess')).toBe(200)
    expect(await builtAt()).toBe(madeAt)
    await second.stop()
  } finally {
    await project.remove()
  }
})

test('an empty installation shows its admin how the first records come about, and no empty figures', async ({ page }) => {
  const [email, password] = ['first@test.example', 'tiny-otter-waves-42']
  const dataDir = await mkdtemp(join(tmpdir(), 'ess-empty-'))
  const server = await startServer({ dataDir, env: { DEMO: '0', ADMIN_EMAIL: email, ADMIN_PASSWORD: password } })
  try {
    await signInPage(page, await ApiUser.signIn(server.url, email, password))
    await page.goto(server.url)
    await expect(page.getByText('The fleet is empty')).toBeVisible()
    await expect(page.getByRole('main').getByRole('link', { name: 'Add an ESS' })).toBeVisible()
    await expect(page.getByRole('main').getByRole('slider')).toHaveCount(0)
    await page.getByRole('link', { name: 'Fill from a file' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Filling' })).toBeVisible()
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
