import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium']

/** The browser without its own surfaces, as Debian has it. */
export const headlessShell = '/usr/bin/chromium-headless-shell'

export const chromiumOfSystem = (): string | undefined => places.find((path) => existsSync(path))

/** A whole browser that is installed: the system's, or Playwright's own. */
export const foundChromium = (): string | undefined =>
  chromiumOfSystem() ?? [chromium.executablePath()].find((path) => existsSync(path))

/** The browser to use where nothing may be installed: the one of CHROMIUM_PATH, else one that is there; undefined where there is none. */
export function presentChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const named = env.CHROMIUM_PATH
  return named
    ? [named].find((path) => existsSync(path))
    : ([headlessShell].find((path) => existsSync(path)) ?? foundChromium())
}

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
