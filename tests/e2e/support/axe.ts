import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const runningAnimations = (page: Page) =>
  page.evaluate(
    () =>
      document.getAnimations().filter((each) => each.effect?.getTiming().iterations === 1 && each.playState === 'running')
        .length,
  )

/** Serious accessibility faults, each with its elements. */
export async function seriousFaults(page: Page): Promise<string[]> {
  // Colours in between two states are nobody's contrast.
  await expect.poll(() => runningAnimations(page)).toBe(0)
  // Details of what is well, and another page to judge the frames that the console has not, are most of the work on a long page.
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .setLegacyMode()
    .analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
