import { existsSync } from 'node:fs'
import { installDebianPackage } from './install-debian-package.ts'
import { chromiumArgs, chromiumOfSystem, foundChromium, headlessShell } from './installed-chromium.ts'

export { chromiumArgs }

/** The browser to test with: CHROMIUM_PATH, the system's, Playwright's own, or Debian's, installed now. Throws when none can be had. */
export function chromiumPath(): string {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (existsSync(named)) return named
    throw new Error(`CHROMIUM_PATH names no file: ${named}`)
  }
  const installed = foundChromium()
  if (installed) return installed
  const fresh = installDebianPackage('chromium') ? chromiumOfSystem() : undefined
  if (fresh) return fresh
  throw new Error('No Chromium: set CHROMIUM_PATH, install the package chromium, or run `npx playwright install chromium`')
}

/**
 * The browser without its own surfaces, the same engine at two thirds of the work; the whole browser where it is not installed.
 * It has no notifications and believes that every page is in front.
 */
export const headlessPath = () => (!process.env.CHROMIUM_PATH && existsSync(headlessShell) ? headlessShell : chromiumPath())

/** For tests of what only the whole browser has. */
export const wholeBrowser = { executablePath: chromiumPath(), args: chromiumArgs }
