import type { Page } from '@playwright/test'
import type { Screen } from '#shell/screens.ts'
import { seriousFaults } from '#tests/e2e/support/axe.ts'

/** Contents of the page; `heading`: its heading, where the definition says it. */
export type ExpectedPage = { screen: Screen; heading?: string }

const headingOf = async (page: Page): Promise<string> => (await page.locator('h1').first().textContent())?.trim() ?? ''

/** A page that shows something else than it should has no faults of its own to be found. */
async function shownFaults(page: Page, { screen, heading }: ExpectedPage): Promise<string[]> {
  const shown = await headingOf(page)
  if (/^\d{3}\b/.test(shown)) return [`it shows “${shown}”`]
  if (heading !== undefined && shown !== heading) return [`its heading is “${shown}” and not “${heading}”`]
  const isForm = screen === 'create' || screen === 'edit'
  return isForm && (await page.locator('main form').count()) === 0 ? ['it shows no form'] : []
}

/** Everything that is wrong with a page that has come to rest. */
export async function pageFaults(page: Page, wanted: ExpectedPage): Promise<string[]> {
  return [...(await shownFaults(page, wanted)), ...(await seriousFaults(page))]
}
