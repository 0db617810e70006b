import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { ApiUser, accounts } from './support/api-user.ts'
import { startDev } from './support/dev-server.ts'
import { copyProject } from './support/own-project.ts'

test('while developing, a broken definition is told over the page and the last good one stays live', async ({ page }) => {
  test.setTimeout(240_000)
  const project = await copyProject()
  const dataDir = await mkdtemp(join(tmpdir(), 'ess-dev-'))
  await cp(process.env.TEST_DEMO_FLEET ?? '', dataDir, { recursive: true })
  const dev = await startDev(project.dir, dataDir)
  const file = join(project.dir, 'resources/ess.ts')
  const sound = await readFile(file, 'utf8')
  try {
    const admin = await ApiUser.signIn(dev.url, accounts.admin)
    await page.goto(`${dev.url}/login`)
    await expect(page.getByRole('textbox', { name: 'E-mail' })).toBeVisible({ timeout: 60_000 })

    await writeFile(file, sound.replace("columns: ['code', 'name'", "columns: ['code', 'nmae'"))
    const overlay = page.locator('vite-error-overlay')
    await expect(overlay).toContainText('ess.list.columns', { timeout: 30_000 })
    await expect(overlay).toContainText('did you mean "name"')
    expect(dev.output()).toContain('ess.list.columns')
    expect(await admin.total('ess')).toBe(200)
    await page.reload()
    await expect(page.getByRole('textbox', { name: 'E-mail' })).toBeVisible({ timeout: 30_000 })
    const served = await (await fetch(`${dev.url}/resources/ess.ts`, { headers: { accept: '*/*' } })).text()
    expect(served).not.toContain('nmae')

    await writeFile(file, sound.replace("label: ['Profile', 'Профиль']", "label: ['Kind of site', 'Вид объекта']"))
    await expect(overlay).toHaveCount(0, { timeout: 30_000 })
    await expect
      .poll(async () => JSON.stringify(await admin.get('openapi.json')), { timeout: 30_000 })
      .toContain('Kind of site')
  } finally {
    await dev.stop()
    await project.remove()
    await rm(dataDir, { recursive: true, force: true })
  }
})
