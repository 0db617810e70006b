import { type Browser, chromium, type Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumArgs, headlessPath } from '#tests/support/chromium.ts'
import { embedded } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

describe('the page of the API in a browser', () => {
  let server: ToyServer
  let browser: Browser
  let page: Page
  let address: string
  const complaints: string[] = []
  beforeAll(async () => {
    server = await openToyServer(embedded)
    address = `${await server.app.listen({ port: 0, host: '127.0.0.1' })}/api/docs`
    browser = await chromium.launch({ executablePath: headlessPath(), args: chromiumArgs })
    page = await browser.newPage()
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })
  const paths = async () => {
    await page.locator('[data-path]').first().waitFor()
    return page.locator('[data-path]').evaluateAll((calls) => calls.map((call) => call.getAttribute('data-path')))
  }

  it('shows and tries the public calls without a session, with both ways to be known', { timeout: 60_000 }, async () => {
    const answer = await page.goto(address)
    expect(answer?.headers()['content-security-policy']).toContain("script-src 'self';")
    expect(await paths()).toEqual(['/openapi.json', '/health', '/ready'])
    await page.locator('[data-path="/health"]').click()
    await page.getByRole('button', { name: 'Execute' }).first().click()
    await page.locator('.live-responses-table').getByText('"status"').first().waitFor()
    await page.getByRole('button', { name: 'Authorize' }).first().click()
    const ways = await page.locator('.modal-ux').textContent()
    expect(ways).toContain('The accessToken of POST /auth/login')
    expect(ways).toContain('X-Device-Key')
  })

  it('shows the own calls to who is signed in to the console', { timeout: 60_000 }, async () => {
    const session = JSON.stringify({ session: { accessToken: 'client', user: { email: 'c@d.example', role: 'client' } } })
    await page.evaluate((text) => localStorage.setItem('ess-console.session', text), session)
    await page.goto(address)
    const own = await paths()
    expect(own).toContain('/toy')
    expect(own).not.toContain('/task/{id}/finish')
    await page.getByRole('status').getByText('Signed in to the console as c@d.example (client)').waitFor()
  })

  it('has nothing that the content policy or the browser complains of', () => {
    expect(complaints).toEqual([])
  })
})
