import { readFile } from 'node:fs/promises'
import { type Browser, chromium, type Locator, type Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumArgs, headlessPath } from '#tests/support/chromium.ts'
import { embedded } from '#tests/support/databases.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'

describe('a person who knows the page of the API only', { timeout: 120_000 }, () => {
  let server: FleetServer
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    server = await FleetServer.open(embedded, { DEMO_SIZE: '5', DEMO_LIVE: 'false' })
    const address = await server.app.listen({ port: 0, host: '127.0.0.1' })
    browser = await chromium.launch({ executablePath: headlessPath(), args: chromiumArgs })
    page = await browser.newPage({ acceptDownloads: true })
    page.setDefaultTimeout(60_000)
    await page.goto(`${address}/api/docs`)
    await page.locator('[data-path]').first().waitFor()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  /** A call, found by the filter and opened. */
  async function callOf(method: string, path: string): Promise<Locator> {
    await page.locator('.operation-filter-input').fill(path)
    const call = page.locator(`.opblock-${method}`, { has: page.locator(`[data-path="${path}"]`) })
    const button = call.getByRole('button', { name: 'Execute' })
    // The page draws itself again for a while after the filter: a call that was opened before closes again.
    for (let tries = 0; tries < 20; tries++) {
      if (!(await button.isVisible())) await call.locator('.opblock-summary-control').click()
      await page.waitForTimeout(500)
      if (await button.isVisible()) return call
    }
    throw new Error(`${method} ${path} does not open`)
  }
  async function answerTo(call: Locator): Promise<string> {
    // The answer of an earlier call stays in sight until the next one has arrived.
    const clear = call.getByRole('button', { name: 'Clear' })
    if (await clear.isVisible()) await clear.click()
    await call.getByRole('button', { name: 'Execute' }).click()
    await call.locator('.live-responses-table .response-col_status').first().waitFor()
    return (await call.locator('.live-responses-table').first().textContent()) ?? ''
  }
  /** The page takes seconds to draw a long list, so the id of a record is not looked up on it. */
  const idOf = async (table: string) => (await server.rows<{ id: string }>(`select "id" from "${table}" limit 1`))[0]?.id ?? ''

  it('signs in by its call, and is shown the calls of his role', async () => {
    const signIn = await callOf('post', '/auth/login')
    expect(await signIn.locator('textarea').first().inputValue()).toContain('"email": "name@example.com"')
    await signIn
      .locator('textarea')
      .first()
      .fill(JSON.stringify({ email: 'admin@example.com', password: server.context.config.demoPassword }))
    const described = page.waitForResponse((answer) => answer.url().endsWith('openapi.json'))
    await signIn.getByRole('button', { name: 'Execute' }).click()
    expect(JSON.stringify(await (await described).json())).toContain('"/audit-log"')
    expect(await (await callOf('get', '/audit-log')).textContent()).toContain('List: Audit log')
  })

  it('reads a list, and makes a record out of the example', async () => {
    expect(await answerTo(await callOf('get', '/ess-model'))).toContain('200')
    const made = await answerTo(await callOf('post', '/ess-model'))
    expect(made).toContain('201')
    expect(made).toContain('"version": 1')
  })

  it('sends a file, and is told what is wrong with it', async () => {
    const upload = await callOf('post', '/firmware')
    await upload
      .locator('input[type=file]')
      .setInputFiles({ name: 'x.bin', mimeType: 'application/octet-stream', buffer: Buffer.from('x') })
    expect(await answerTo(upload)).toContain('firmware-image.bad-length')
  })

  it('saves a file that is no text', async () => {
    const image = await callOf('get', '/firmware/{id}/file')
    await image.locator('input[placeholder="id"]').fill(await idOf('firmware'))
    expect(await answerTo(image)).toContain('200')
    const [saved] = await Promise.all([page.waitForEvent('download'), image.getByText('Download file').first().click()])
    expect((await readFile(await saved.path())).subarray(0, 4).toString()).toBe('ESFW')
  })

  it('calls as a board by a key that it has made, and stays signed in beside', async () => {
    const making = await callOf('post', '/control-pcb/{id}/device-key')
    await making.locator('input[placeholder="id"]').fill(await idOf('control_pcb'))
    const key = /"deviceKey": "([^"]+)"/.exec(await answerTo(making))?.[1] ?? ''
    expect(key).not.toBe('')
    await page.getByRole('button', { name: 'Authorize' }).first().click()
    await page.locator('.modal-ux .auth-container', { hasText: 'X-Device-Key' }).locator('input').fill(key)
    await page.locator('.modal-ux .auth-container', { hasText: 'X-Device-Key' }).getByRole('button', { name: 'Apply' }).click()
    await page.locator('.modal-ux .close-modal').click()
    expect(await answerTo(await callOf('get', '/device/v1/state'))).toContain('200')
    expect(await answerTo(await callOf('get', '/ess-model'))).toContain('"manufacturer": "string"')
  })
})
