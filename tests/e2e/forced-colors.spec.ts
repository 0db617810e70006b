import type { Locator } from '@playwright/test'
import { expect, test } from './support/console.ts'
import { TalkingBoard } from './support/talking-board.ts'

/** The computed values of a property of each element, or of what stands before its content. */
const valuesOf = (parts: Locator, name: string, pseudo?: string): Promise<string[]> =>
  parts.evaluateAll((all, [key, of]) => all.map((one) => getComputedStyle(one, of).getPropertyValue(key)), [
    name,
    pseudo,
  ] as const)

for (const colorScheme of ['light', 'dark'] as const)
  test.describe(`in the high contrast of a ${colorScheme} system`, () => {
    test.use({ colorScheme, contextOptions: { forcedColors: 'active' } })

    test('a switch is seen, and where it stands', async ({ as, api }) => {
      const { id } = await (await api('admin')).first('firmware')
      const page = await as('admin', `/firmware/${id}/edit`)
      const toggle = page.getByRole('switch').first()
      await expect(toggle).toBeVisible()
      const canvas = await valuesOf(page.locator('body'), 'background-color')
      const knob = () => valuesOf(toggle.locator('.ant-switch-handle'), 'background-color', '::before')
      const off = await knob()
      expect(off).not.toEqual(canvas)
      expect(await valuesOf(toggle, 'outline-style')).toEqual(['solid'])
      await toggle.click()
      await expect.poll(async () => [await knob(), await valuesOf(toggle, 'background-color')]).not.toContainEqual(off)
      expect(await knob()).not.toEqual(await valuesOf(toggle, 'background-color'))
    })

    test('only the current view, page and item of the menu are marked, and states keep their marks', async ({ as }) => {
      const page = await as('admin', '/ess?limit=10')
      await expect(page.getByRole('link', { name: /^ESS-/ }).first()).toBeVisible()
      const [canvas] = await valuesOf(page.locator('body'), 'background-color')
      const tabs = page.getByRole('main').locator('.ui-tab')
      expect((await valuesOf(tabs, 'border-bottom-color')).map((color) => color !== canvas)).toEqual([true, false, false])
      const items = page.getByRole('navigation', { name: 'Main menu' }).getByRole('link')
      expect((await valuesOf(items, 'border-inline-start-style')).filter((style) => style === 'solid')).toHaveLength(1)
      const pages = page.locator('.ui-pages .ui-page')
      const fills = await valuesOf(pages, 'background-color')
      const current = await pages.evaluateAll((all) => all.findIndex((one) => one.hasAttribute('aria-current')))
      expect(fills.filter((fill) => fill === fills[current])).toHaveLength(1)
      expect(await valuesOf(page.locator('tbody .ui-dot:not(.ui-dot-idle)'), 'background-color')).not.toContain(canvas)
    })

    test('the options of a field stand in a box', async ({ as }) => {
      const page = await as('admin', '/ess/create')
      await page.getByRole('combobox', { name: 'Lifecycle' }).press('ArrowDown')
      const box = page.locator('.ant-select-dropdown')
      await expect(box).toBeVisible()
      expect(await valuesOf(box, 'outline-style')).toEqual(['solid'])
      expect(await valuesOf(box.locator('.ant-select-item-option-active'), 'outline-style')).toEqual(['solid'])
    })

    test('the keys of a chart have the colours of its lines, and a bar its share', async ({ as, api, server }) => {
      const board = await TalkingBoard.attach(await api('admin'), server.url)
      await board.history({ fromMin: 60, values: () => ({ socPct: 80 }) })
      const page = await as('admin', `/control-pcb/${board.id}/telemetry`)
      const keys = page.getByRole('region', { name: 'Power', exact: true }).locator('.tele-key')
      await expect(keys.nth(1)).toBeVisible()
      const colors = await valuesOf(keys, 'border-top-color')
      expect(new Set(colors).size).toBe(colors.length)
      await page.goto(`/ess/${board.essId}`)
      const meter = page.getByRole('meter').first()
      await expect(meter).toBeVisible()
      expect(await valuesOf(meter, 'outline-style')).toEqual(['solid'])
      expect(await valuesOf(meter.locator('.ui-meter-fill'), 'background-color')).not.toEqual(
        await valuesOf(page.locator('body'), 'background-color'),
      )
    })
  })
