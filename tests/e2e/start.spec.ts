import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { ApiUser, accounts } from './support/api-user.ts'
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
