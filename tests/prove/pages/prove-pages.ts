import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { pathOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { plannedBuild } from '#server/app/source-hash.mjs'
import { Answers } from '#tests/e2e/support/answers.ts'
import { ApiUser, accounts } from '#tests/e2e/support/api-user.ts'
import { type LiveServer, startServer } from '#tests/e2e/support/live-server.ts'
import { signInPage } from '#tests/e2e/support/sign-in-page.ts'
import { Maker } from '#tests/prove/maker.ts'
import { type Json, provenOfProduct } from '#tests/prove/proven.ts'
import { skipCheck } from '#tests/prove/skipped-checks.ts'
import { reachWanted } from '#tests/prove/steps.ts'
import { chromiumArgs, presentChromium } from '#tests/support/installed-chromium.ts'
import { pageFaults } from './page-faults.ts'
import { type PlannedPage, planOf, visitorOf, visits } from './page-plan.ts'
import { PeopleTransport } from './people-transport.ts'

/** Builds the console where it is missing or older than its sources. */
function ensureBuilt(): void {
  const settings = plannedBuild(process.cwd(), process.env)
  if (!settings) return
  console.log('Building the console')
  const { NODE_ENV: _, ...env } = process.env
  const built = spawnSync('npx', ['vite', 'build', '--app', '--logLevel', 'warn'], {
    stdio: 'inherit',
    env: { ...env, ...settings },
  })
  if (built.status !== 0) throw new Error('the console can not be built')
}

const mostRecords = 25

/** Records of the demo fleet, else one that is made here. */
async function recordsOf(of: AnyResource, as: keyof typeof accounts, people: PeopleTransport): Promise<Json[]> {
  const list = pathOf(of, 'list')
  const { rows } = list === undefined ? { rows: [] } : await people.call('GET', `${list}?_end=${mostRecords}`, { as })
  if (rows.length > 0) return rows
  const maker = new Maker(provenOfProduct(of.name), people, reachWanted)
  return await maker.made(of).then(
    (record) => [record],
    () => [],
  )
}

type Visit = { page: Page; answers: Answers; planned: PlannedPage; name: string }

/** One line for each look of a page; true where it has no fault. */
async function seen({ page, answers, planned, name }: Visit, language: 'en' | 'ru'): Promise<boolean> {
  const looks = visits.find((visit) => visit.language === language)?.looks ?? []
  let isSound = true
  for (const [index, [colorScheme, width]] of looks.entries()) {
    const started = performance.now()
    await page.setViewportSize({ width, height: 844 })
    await page.emulateMedia({ colorScheme })
    const heading = planned.heading?.(language)
    const wanted = { screen: planned.screen, ...(heading === undefined ? {} : { heading }) }
    const faults = await (async () => {
      if (index === 0) await page.goto(planned.path)
      await answers.settled(page)
      return await pageFaults(page, wanted)
    })().catch((error: unknown) => [`it does not come to rest: ${String(error).split('\n')[0]}`])
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    const mark = faults.length === 0 ? '✓' : '×'
    console.log(`${mark} ${name} > axe: page ${planned.screen} in ${language}, ${colorScheme}, ${width} px (${seconds} s)`)
    for (const fault of faults) console.log(`    ${fault}`)
    isSound &&= faults.length === 0
  }
  return isSound
}

async function visited(browser: Browser, server: LiveServer, name: string): Promise<boolean> {
  const { resource } = provenOfProduct(name)
  const as = visitorOf(resource)
  if (!as) {
    skipCheck('pages', 'no role may open one')
    return true
  }
  const people = new PeopleTransport(server.url)
  const { pages, leftOut } = planOf(resource, as, await recordsOf(resource, as, people))
  for (const [what, why] of leftOut) skipCheck(what, why)
  const user = await ApiUser.signIn(server.url, accounts[as])
  let isSound = true
  for (const { language } of visits) {
    const context = await browser.newContext({ baseURL: server.url, serviceWorkers: 'block' })
    const answers = new Answers(context)
    const page = await context.newPage()
    // The compiler that runs this file gives functions their names by a helper of its own, which pages do not have.
    await page.addInitScript('globalThis.__name = (value) => value')
    await page.addInitScript((chosen) => localStorage.setItem('ess-console.language', chosen), language)
    await signInPage(page, user)
    for (const planned of pages) isSound = (await seen({ page, answers, planned, name }, language)) && isSound
    await context.close()
  }
  return isSound
}

/** Opens the pages of definitions in the built console and holds them against axe; answers the names of those with faults. */
export async function provePages(names: readonly string[], handOver: (name: string) => void): Promise<string[]> {
  const executablePath = presentChromium()
  if (!executablePath) {
    for (const name of names) {
      skipCheck('pages', 'this machine has no Chromium: install it, or name it in CHROMIUM_PATH')
      handOver(name)
    }
    return []
  }
  ensureBuilt()
  const dataDir = await mkdtemp(join(tmpdir(), 'prove-pages-'))
  const server = await startServer({ dataDir, env: { DEMO_SIZE: '5' } })
  const browser = await chromium.launch({ executablePath, args: chromiumArgs })
  const failed: string[] = []
  try {
    for (const name of names) {
      if (!(await visited(browser, server, name))) failed.push(name)
      handOver(name)
    }
  } finally {
    await browser.close()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return failed
}
