import type { Page } from '@playwright/test'

/** Holds requests back until they are released. */
export async function hold(page: Page, pattern: string): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(pattern, async (route) => {
    await released
    await route.continue()
  })
  return release
}

/** Holds the scripts of the console back. */
export const holdConsole = (page: Page) => hold(page, '**/assets/console-*.js')
