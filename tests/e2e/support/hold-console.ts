import type { Page } from '@playwright/test'

/** Holds the scripts of the console back until it is released. */
export async function holdConsole(page: Page): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/console-*.js', async (route) => {
    await released
    await route.continue()
  })
  return release
}
