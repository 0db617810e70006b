import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { ApiUser, accounts } from './support/api-user.ts'
import { signInPage } from './support/console.ts'
import { startServer } from './support/live-server.ts'
import { copyProject } from './support/own-project.ts'
import { newUser } from './support/records.ts'

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

test('a start keeps the settings of the build, builds with changed ones, and never builds in production', async () => {
  test.setTimeout(240_000)
  const project = await copyProject()
  const start = (env: Record<string, string> = {}) =>
    startServer({
      dir: project.dir,
      dataDir: join(project.dir, 'data'),
      program: 'server/start.mjs',
      env: { DEMO_SIZE: '5', ...env },
    })
  const builtAt = async () => (await stat(join(project.dir, 'dist/server/main.mjs'))).mtimeMs
  const hasVersion = async (version: string) => {
    const assets = join(project.dir, 'dist/console/assets')
    const scripts = (await readdir(assets)).filter((file) => file.endsWith('.js'))
    const texts = await Promise.all(scripts.map((file) => readFile(join(assets, file), 'utf8')))
    return texts.some((text) => text.includes(version))
  }
  try {
    const env = { ...process.env, NODE_ENV: 'production' }
    const unbuilt = spawnSync(process.execPath, ['server/start.mjs'], { cwd: project.dir, env, encoding: 'utf8' })
    expect(unbuilt.status).toBe(1)
    expect(unbuilt.stderr).toContain('dist/ is missing: run `npm ci --include=dev && npm run build`')

    await project.script('build', { VITE_APP_VERSION: '7.7.7-given' })
    const first = await builtAt()
    await (await start()).stop()
    expect(await builtAt()).toBe(first)
    expect(await hasVersion('7.7.7-given')).toBe(true)

    await (await start({ NODE_ENV: 'production', DEMO: '0', VITE_APP_VERSION: '8.8.8-changed' })).stop()
    expect(await builtAt()).toBe(first)

    await (await start({ VITE_APP_VERSION: '8.8.8-changed' })).stop()
    expect(await builtAt()).toBeGreaterThan(first)
    expect([await hasVersion('7.7.7-given'), await hasVersion('8.8.8-changed')]).toEqual([false, true])
  } finally {
    await project.remove()
  }
})

test('an empty installation shows its admin how the first records come about, and no empty figures', async ({ page }) => {
  const [email, password] = ['first@test.example', 'tiny-otter-waves-42']
  const dataDir = await mkdtemp(join(tmpdir(), 'ess-empty-'))
  const server = await startServer({ dataDir, env: { DEMO: '0', ADMIN_EMAIL: email, ADMIN_PASSWORD: password } })
  try {
    const admin = await ApiUser.signIn(server.url, email, password)
    await signInPage(page, admin)
    await page.goto(server.url)
    await expect(page.getByText('The fleet is empty')).toBeVisible()
    await expect(page.getByText('0 of 6 done')).toBeVisible()
    const step = page.getByRole('main').getByRole('link', { name: 'Invite a colleague' })
    await expect(step).toHaveAttribute('href', '/user/create')
    await newUser(admin)
    await expect(page.getByText('1 of 6 done')).toBeVisible()
    await expect(step).toBeHidden()
    await page.getByRole('button', { name: 'Hide these steps' }).click()
    await expect(page.getByRole('heading', { name: 'Get started' })).toBeHidden()
    await page.reload()
    await expect(page.getByRole('main').getByRole('link', { name: 'Add an ESS' })).toBeVisible()
    await expect(page.getByRole('main').getByRole('slider')).toHaveCount(0)
    await page.getByRole('link', { name: 'Fill from a file' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Filling' })).toBeVisible()

    await page.goto(`${server.url}/rollout`)
    await expect(page.getByText('No rollouts yet')).toBeVisible()
    await expect(page.getByText('then create the first rollout')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Rollouts' }).getByRole('link', { name: 'Create' })).toBeVisible()
    await page.goto(`${server.url}/telemetry-warning?severity=CRITICAL`)
    await expect(page.getByText('Nothing matches')).toBeVisible()
    await page.getByRole('region', { name: 'Warnings' }).getByRole('button', { name: 'Clear filters' }).click()
    await expect(page.getByText('No warnings', { exact: true })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Warnings' }).getByRole('link')).toHaveCount(0)
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
