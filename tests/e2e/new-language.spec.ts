import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { ApiUser, accounts } from './support/api-user.ts'
import { signInPage } from './support/console.ts'
import { type DevServer, startDev } from './support/dev-server.ts'
import { list } from './support/form.ts'
import { copyProject, type OwnProject } from './support/own-project.ts'

/** As much as a translator does in the first quarter of an hour. */
const german: Readonly<Record<string, string>> = {
  Dashboard: 'Übersicht',
  Users: 'Benutzer',
  Clients: 'Kunden',
  Rollouts: 'Verteilungen',
  Firmware: 'Firmware-Stände',
  Warnings: 'Warnungen',
  'Main menu': 'Hauptmenü',
  Create: 'Anlegen',
  Save: 'Speichern',
  Cancel: 'Abbrechen',
  Code: 'Kennung',
  'Rated energy': 'Nennenergie',
  Installed: 'In Betrieb seit',
  Lifecycle: 'Lebenszyklus',
  Language: 'Sprache',
  'Rows per page': 'Zeilen je Seite',
  '{from}–{to} of {total}': '{from}–{to} von {total}',
  'Time zone': 'Zeitzone',
  'This field is required': 'Dieses Feld ist erforderlich',
  'There is no such page': 'Diese Seite gibt es nicht',
  'Not found': 'Nicht gefunden',
}

let project: OwnProject
let dev: DevServer
let dataDir: string
let said: string

const words = () => project.script('words', {}, ['de'])
const file = (path: string) => join(project.dir, path)

test.beforeAll(async () => {
  test.setTimeout(240_000)
  project = await copyProject()
  said = await words()
  const path = file('public/locales/de.json')
  const empty: Record<string, string> = JSON.parse(await readFile(path, 'utf8'))
  await writeFile(path, JSON.stringify({ ...empty, ...german, 'A text of last year': 'Ein Text vom letzten Jahr' }))
  const row = /^ {2}(\{ code: 'de'.*\},)$/m.exec(said)?.[1] ?? ''
  const table = await readFile(file('src/schema/words.ts'), 'utf8')
  await writeFile(file('src/schema/words.ts'), table.replace(/^ {2}\{ code: 'ru'.*$/m, `$&\n  ${row}`))
  dataDir = await mkdtemp(join(tmpdir(), 'ess-de-'))
  await cp(process.env.TEST_DEMO_FLEET ?? '', dataDir, { recursive: true })
  dev = await startDev(project.dir, dataDir)
})

test.afterAll(async () => {
  await dev.stop()
  await project.remove()
  await rm(dataDir, { recursive: true, force: true })
})

/** Signs in as the admin with a browser that speaks German, and opens a page. */
async function open(page: Page, path: string): Promise<void> {
  await signInPage(page, await ApiUser.signIn(dev.url, accounts.admin))
  await page.goto(`${dev.url}${path}`)
  await expect(page.getByRole('main')).toBeVisible({ timeout: 90_000 })
}

async function chooseGerman(page: Page): Promise<void> {
  await page
    .getByRole('banner')
    .getByRole('button', { name: /\b(EN|DE)$/ })
    .click()
  await page.getByRole('menuitemcheckbox', { name: 'Deutsch' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
}

test('the words of a new language are a file: missing, stale and broken texts are reported', async () => {
  test.setTimeout(120_000)
  expect(said).toMatch(/de\.json: \d{4} texts, 0 translated\nMissing: \d{4}/)
  expect(said).toContain("{ code: 'de', intl: 'de', direction: 'ltr', antd: 'de_DE', dayjs: 'de', name: 'Deutsch' },")
  const again = await words()
  expect(again).toContain(`texts, ${Object.keys(german).length} translated`)
  expect(again).toMatch(/Stale .*: 1\n {2}A text of last year/)
  expect(again).not.toContain('Put together in the code')
  expect(again).not.toContain('Add the row')
  const path = file('public/locales/de.json')
  const messages: Record<string, string> = JSON.parse(await readFile(path, 'utf8'))
  await writeFile(path, JSON.stringify({ ...messages, 'Version {version}': 'Version {nummer}' }))
  await expect(words()).rejects.toMatchObject({ stdout: expect.stringMatching(/Broken .*: 1\n {2}Version \{version\}/) })
  await writeFile(path, JSON.stringify(messages))
})

test('it is chosen in the header: what is translated is German, the rest is English, and the profile keeps it', async ({
  page,
}) => {
  test.setTimeout(180_000)
  await open(page, '/ess?columns=code,ratedEnergyWh,lifecycle,installedAt,warrantyUntil&limit=10&sort=code')
  await chooseGerman(page)
  const menu = page.getByRole('navigation', { name: 'Hauptmenü' })
  for (const name of ['Übersicht', 'Benutzer', 'Kunden', 'Verteilungen', 'Warnungen']) await expect(menu).toContainText(name)
  await expect(menu).toContainText('Audit log')
  for (const name of ['Kennung', 'Nennenergie', 'Lebenszyklus'])
    await expect(page.getByRole('columnheader', { name })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'In Betrieb seit' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Warranty until' })).toBeVisible()
  await expect(page.getByText('1–10 von 200')).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Anlegen' })).toBeVisible()
  const admin = await ApiUser.signIn(dev.url, accounts.admin)
  await expect.poll(async () => (await admin.get<{ user: { language: string } }>('auth/me')).user.language).toBe('de')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
})

test('numbers, dates, the kit and refusals of the server follow', async ({ page }) => {
  test.setTimeout(180_000)
  await page.addInitScript(() => localStorage.setItem('ess-console.language', 'de'))
  await open(page, '/ess?q=ESS-000001&columns=code,ratedEnergyWh,installedAt')
  await expect(page.getByRole('row').nth(1)).toContainText('10,2 kWh')
  await expect(page.getByRole('row').nth(1)).toContainText(/\d{1,2}\. \p{L}+\.? 20\d\d|\d\d\.\d\d\.20\d\d/u)
  await page.goto(`${dev.url}/ess/create`)
  await expect(list(page, 'Zeitzone')).toBeVisible({ timeout: 60_000 })
  await page.goto(`${dev.url}/ess?page=999`)
  await expect(page.getByRole('main')).toContainText('Diese Seite gibt es nicht')
  await page.goto(`${dev.url}/nowhere`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Nicht gefunden')
  const admin = await ApiUser.signIn(dev.url, accounts.admin)
  const answer = await fetch(`${dev.url}/api/ess`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${admin.token}`,
      'content-type': 'application/json',
      'accept-language': 'de-AT, en;q=0.5',
    },
    body: '{}',
  })
  expect(answer.status).toBe(400)
  expect(JSON.stringify(await answer.json())).toContain('Kennung: Dieses Feld ist erforderlich')
})
