import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium, type Page } from '@playwright/test'
import { ApiUser, accounts } from '#tests/e2e/support/api-user.ts'
import { startServer } from '#tests/e2e/support/live-server.ts'
import { signInPage } from '#tests/e2e/support/sign-in-page.ts'
import { chromiumArgs, headlessPath } from '#tests/support/chromium.ts'
import { type Shot, shots } from './shots.ts'

/** All pictures, and those of them that the README shows. */
const folder = 'tests/output/pictures'
const shownFolder = 'docs/images'
const mostBytes = 1_500_000

const widths = {
  phone: { width: 390, height: 844 },
  laptop: { width: 1440, height: 900 },
  wide: { width: 1920, height: 1080 },
} as const
type Width = keyof typeof widths
const looks = ['light', 'dark'] as const
/** Those of the README alone: some minutes instead of a quarter of an hour. */
const onlyShown = process.argv.includes('--shown')
const languages = process.argv.includes('--all') ? (['en', 'ru'] as const) : (['en'] as const)

/** Warnings of the first minutes belong on the pictures. */
const liveMs = 30_000
/** Flows and charts glide into their places. */
const settleMs = 1_000

/** Elements that stand for data on its way. */
const pending = '.ui-skeleton, #frame[aria-busy], main [aria-busy=true]'

/** Waits until the typeface is there, no data is on its way, and every chart has lines on it. */
async function untilDrawn(page: Page): Promise<void> {
  await page.getByRole('main').waitFor()
  await page.locator('html[data-face]').waitFor()
  await page.evaluate(async () => void (await document.fonts.ready))
  await page.waitForFunction(
    (selector) =>
      [...document.querySelectorAll(selector)].every((element) => !element.checkVisibility()) &&
      [...document.querySelectorAll('canvas')]
        .filter((chart) => chart.checkVisibility() && chart.width > 0)
        .every((chart) =>
          chart
            .getContext('2d')
            ?.getImageData(0, 0, chart.width, chart.height)
            .data.some((value) => value > 0),
        ),
    pending,
  )
  await sleep(settleMs)
}

type Taking = { admin: ApiUser; browser: Browser; url: string }

/** WebP, which Playwright's own screenshots do not know: a third of the bytes of PNG. */
async function capture(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 70 })
  return Buffer.from(data, 'base64')
}

async function addressOf({ path, record }: Shot, admin: ApiUser): Promise<string> {
  if (!record) return path
  const [first] = await admin.get<{ id: string }[]>(record)
  if (!first) throw new Error(`no record of ${record}`)
  return path.replace('{id}', first.id)
}

type Way = { width: Width; look: (typeof looks)[number]; language: (typeof languages)[number] }

async function take({ admin, browser, url }: Taking, addresses: ReadonlyMap<Shot, string>, { width, look, language }: Way) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: widths[width],
    colorScheme: look,
    locale: language,
    timezoneId: 'Europe/Berlin',
    serviceWorkers: 'block',
  })
  await context.addInitScript((chosen) => localStorage.setItem('ess-console.language', chosen), language)
  // The question about notifications is asked once, and is not what the pictures are of.
  await context.addInitScript(() => sessionStorage.setItem('ess-console.push-hidden', 'yes'))
  for (const [shot, address] of addresses) {
    const isShown = language === 'en' && shot.shown?.includes(`${width} ${look}`)
    if (onlyShown && !isShown) continue
    const page = await context.newPage()
    await signInPage(page, admin)
    await page.goto(address)
    await shot.until?.(page)
    await untilDrawn(page)
    const bytes = await capture(page)
    await writeFile(join(folder, `${shot.name}.${language}.${width}.${look}.webp`), bytes)
    if (isShown) await writeFile(join(shownFolder, `${shot.name}-${width}-${look}.webp`), bytes)
    await page.close()
  }
  await context.close()
}

async function takeAll(taking: Taking): Promise<void> {
  const addresses = new Map<Shot, string>()
  for (const shot of shots) addresses.set(shot, await addressOf(shot, taking.admin))
  for (const language of languages)
    for (const look of looks)
      for (const width of Object.keys(widths) as Width[]) await take(taking, addresses, { width, look, language })
}

/** Waits for the past of the fleet, then for the first minutes of its present. */
async function untilAlive(admin: ApiUser): Promise<void> {
  for (let waited = 0; (await admin.total('ess?socPct_null=false')) < 150; waited++) {
    if (waited > 300) throw new Error('the demo fleet does not come alive')
    await sleep(1_000)
  }
  await sleep(liveMs)
}

async function sizeOfShown(): Promise<number> {
  const readme = await readFile('README.md', 'utf8')
  const names = [...new Set([...readme.matchAll(/docs\/images\/[\w.-]+/g)].map(([name]) => name))]
  const sizes = await Promise.all(names.map(async (name) => (await stat(name)).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

await mkdir(folder, { recursive: true })
const dataDir = await mkdtemp(join(tmpdir(), 'ess-pictures-'))
const server = await startServer({ dataDir, env: { DEMO_LIVE: '1' } })
const browser = await chromium.launch({ executablePath: headlessPath(), args: chromiumArgs })
try {
  const admin = await ApiUser.signIn(server.url, accounts.admin)
  await untilAlive(admin)
  await takeAll({ admin, browser, url: server.url })
  const bytes = await sizeOfShown()
  console.log(`Pictures in ${folder}; those of the README have ${Math.round(bytes / 1000)} KB`)
  if (bytes > mostBytes) throw new Error(`the pictures of the README have ${bytes} bytes, of ${mostBytes} at most`)
} finally {
  await browser.close()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}
