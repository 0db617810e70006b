import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from '@playwright/test'
import { chromiumArgs, chromiumPath } from '#tests/support/chromium.ts'
import { ended } from './live-server.ts'

export type OwnBrowser = { context: BrowserContext; close(): Promise<void> }

const waitMs = 20_000

/** The address at which the browser can be driven, once it has written it down. */
async function endpoint(profile: string): Promise<string> {
  const end = Date.now() + waitMs
  for (;;) {
    const [port, path] = (await readFile(join(profile, 'DevToolsActivePort'), 'utf8').catch(() => '')).split('\n')
    if (port && path) return `ws://127.0.0.1:${port}${path}`
    if (Date.now() > end) throw new Error('the browser has not started')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/**
 * A browser as a person has it: of its tabs one is seen and has the focus, the others are hidden. In Playwright's own contexts every
 * page believes that it is in front.
 */
export async function openOwnBrowser(): Promise<OwnBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'ess-browser-'))
  const args = [...chromiumArgs, '--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank']
  const child = spawn(chromiumPath(), args, { stdio: 'ignore' })
  const browser = await chromium.connectOverCDP(await endpoint(profile), { noDefaults: true })
  const [context] = browser.contexts()
  if (!context) throw new Error('the browser has no context')
  return {
    context,
    async close() {
      await browser.close()
      child.kill()
      await ended(child)
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
