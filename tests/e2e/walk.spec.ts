import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { extract } from '#build/words/extract.ts'
import { pseudoMessages } from '#build/words/pseudo.ts'
import { warnings } from '#resources/fleet/warnings/warnings.ts'
import { roles } from '#schema/roles.ts'
import { LANGUAGES, type Language } from '#schema/words.ts'
import { addressesFor, publicAddresses } from './support/addresses.ts'
import { Answers } from './support/answers.ts'
import { ApiUser, accounts } from './support/api-user.ts'
import { test as base, expect } from './support/console.ts'
import { foreignWords } from './support/foreign-words.ts'
import { startFleet } from './support/live-server.ts'
import { buildWith } from './support/own-build.ts'
import { pressed, smallTargets } from './support/small-targets.ts'
import { TalkingBoard } from './support/talking-board.ts'

/** `npm run walk` takes the pictures of the same walk, in both looks and two widths, into this folder. */
const folder = process.env.WALK ? join('tests/output/walk') : undefined
const phonePx = 390
const widths = folder ? [1440, phonePx] : [phonePx]
const looks = folder ? (['light', 'dark'] as const) : (['light'] as const)

const test = base.extend<object, { board: TalkingBoard }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's form
    async ({}, use) => {
      const build = await buildWith('en-XA', pseudoMessages(extract(process.cwd()).texts))
      const server = await startFleet({ dir: build.dir })
      await use(server)
      await server.stop()
      await build.remove()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  board: [
    async ({ server }, use) => {
      const admin = await ApiUser.signIn(server.url, accounts.admin)
      const board = await TalkingBoard.attach(admin, server.url)
      const damaged = board.frame()
      damaged.writeUInt8(damaged.readUInt8(30) ^ 1, 30)
      await board.history({ fromMin: 30, values: () => ({}) })
      await board.send(damaged)
      const [firmware] = await admin.get<{ id: string }[]>(`firmware/for-request-update?controlPcbId=${board.id}`)
      await admin.send('POST', 'firmware-update', { controlPcbId: board.id, firmwareId: firmware?.id })
      await board.send(board.frame({ eventFlags: 2 ** warnings.INSULATION_FAULT.flag.bit }))
      await expect.poll(() => admin.total(`telemetry-warning?controlPcbId=${board.id}`)).toBeGreaterThan(0)
      const warning = await admin.first(`telemetry-warning?controlPcbId=${board.id}`)
      await admin.send('PUT', `telemetry-warning/${warning.id}/open-case`)
      await use(board)
    },
    { scope: 'worker' },
  ],
})

// Long walks, each on its own: they are shared out among the workers.
test.describe.configure({ mode: 'parallel' })

const tooWide = (page: Page) =>
  page.evaluate(() => {
    const width = document.scrollingElement?.scrollWidth ?? 0
    if (width <= window.innerWidth) return undefined
    const reaches = (element: Element) => Math.round(element.getBoundingClientRect().right + window.scrollX) >= width
    const widest = [...document.body.querySelectorAll('*')].findLast(reaches)
    return `${width} px in ${window.innerWidth}: ${widest?.className} “${widest?.textContent?.slice(0, 40)}”`
  })

async function picture(page: Page, name: string[]): Promise<void> {
  if (!folder) return
  mkdirSync(join(folder, name[0] ?? ''), { recursive: true })
  const file = `${name
    .slice(1)
    .join('_')
    .replace(/#token=\w+/, '.form')
    .replace(/^\//, '')
    .replaceAll('/', '.')}.png`
  await page.screenshot({ path: join(folder, name[0] ?? '', file), fullPage: true, animations: 'disabled' })
}

type Walk = {
  page: Page
  who: string
  language: Language
  answers: Answers
  open: (page: Page, address: string) => Promise<unknown>
}

/** Faults of a page in every width and theme: wider than its screen, or a word of the other language. */
async function visit(address: string, { page, who, language, answers, open }: Walk): Promise<string[]> {
  const found: string[] = []
  await open(page, address)
  await answers.settled(page)
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 })
    for (const colorScheme of looks) {
      await page.emulateMedia({ colorScheme })
      await picture(page, [who, address, language, String(width), colorScheme])
    }
    const excess = await tooWide(page)
    if (excess) found.push(`${address}: ${excess}`)
    if (width === phonePx)
      found.push(...(await page.locator(pressed).evaluateAll(smallTargets)).map((target) => `${address}: ${target}`))
  }
  const words = await foreignWords(page, language, answers.words)
  return [...found, ...words.map((word) => `${address}: “${word}”`)]
}

async function visitAll(addresses: readonly string[], walk: Walk): Promise<string[]> {
  const found: string[] = []
  for (const address of addresses) found.push(...(await visit(address, walk)))
  return found
}

/** Every load is in this language from then on. */
const speak = (page: Page, language: Language) =>
  page.addInitScript((chosen) => localStorage.setItem('ess-console.language', chosen), language)

const load = (page: Page, address: string) => page.goto(address)

const step = (page: Page, address: string) =>
  page.evaluate((target) => {
    history.pushState(null, '', target)
    dispatchEvent(new PopStateEvent('popstate'))
  }, address)

/** Goes to another page inside the loaded console, by way of one that is surely gone when the other one has come. */
async function walkTo(page: Page, address: string): Promise<void> {
  const nothingHere = page.getByRole('heading', { level: 1, name: /^404/ })
  await step(page, '/nowhere')
  await nothingHere.waitFor()
  if (address === '/nowhere') return
  await step(page, address)
  await nothingHere.waitFor({ state: 'detached' })
}

/** The pseudo-locale shows a text outside of the words, and what breaks by a text of 40 % more; one role sees nearly all of them. */
for (const [nth, { code: language, ...row }] of LANGUAGES.entries()) {
  const isPseudo = 'pseudo' in row
  for (const [index, role] of (isPseudo ? roles.slice(0, 1) : roles).entries()) {
    test(`every page of a ${role} fits a phone and speaks one language: ${language}`, async ({ as, api, board, page: own }) => {
      test.setTimeout(folder ? 1_200_000 : 240_000)
      const answers = new Answers(own.context())
      const addresses = await addressesFor(role, await api(role), board.id)
      await speak(own, language)
      const page = await as(role)
      // A role loads each of its pages in one spoken language, and walks to it inside the console in the others.
      const open = !isPseudo && (index + nth) % 2 === 0 ? load : walkTo
      expect(await visitAll(addresses, { page, who: role, language, answers, open })).toEqual([])
    })
  }

  test(`every public page fits a phone and speaks one language: ${language}`, async ({ page, complaints }) => {
    test.setTimeout(folder ? 600_000 : 120_000)
    complaints.allow(/Failed to load/)
    const answers = new Answers(page.context())
    await speak(page, language)
    expect(await visitAll(publicAddresses, { page, who: 'nobody', language, answers, open: load })).toEqual([])
  })
}
