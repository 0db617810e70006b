import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { installDebianPackage } from './install-debian-package.ts'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium']

const find = () => places.find((path) => existsSync(path))

/** The browser to test with: CHROMIUM_PATH, the system's, Playwright's own, or Debian's, installed now. Throws when none can be had. */
export function chromiumPath(): string {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (existsSync(named)) return named
    throw new Error(`CHROMIUM_PATH names no file: ${named}`)
  }
  const installed = find() ?? [chromium.executablePath()].find((path) => existsSync(path))
  if (installed) return installed
  const fresh = installDebianPackage('chromium') ? find() : undefined
  if (fresh) return fresh
  throw new Error('No Chromium: set CHROMIUM_PATH, install the package chromium, or run `npx playwright install chromium`')
}

const shell = '/usr/bin/chromium-headless-shell'

/**
 * The browser without its own surfaces, the same engine at two thirds of the work; the whole browser where it is not installed.
 * It has no notifications and believes that every page is in front.
 */
export const headlessPath = () => (!process.env.CHROMIUM_PATH && existsSync(shell) ? shell : chromiumPath())

/**
 * Chromium draws the list below its address bar as a page of its own, twice for every context: half of the work of a short test.
 * Of two such switches the last one counts, so Playwright's own features follow.
 */
const disabledFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]

/** As root there is no sandbox to be had; the rest keeps the browser from calling its makers. */
export const chromiumArgs = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${disabledFeatures.join()}`,
]

/** For tests of what only the whole browser has. */
export const wholeBrowser = { executablePath: chromiumPath(), args: chromiumArgs }
