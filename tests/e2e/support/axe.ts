import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** Runs in the page. */
const stands = () =>
  !document.getAnimations().some((each) => each.effect?.getTiming().iterations === 1 && each.playState === 'running')

/** Serious accessibility faults, each with its elements. */
export async function seriousFaults(page: Page): Promise<string[]> {
  // Colours in between two states are nobody's contrast.
  await page.waitForFunction(stands, undefined, { timeout: 15_000 })
  // Details of what is well, and another page to judge the frames that the console has not, are most of the work on a long page.
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .setLegacyMode()
    .analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
