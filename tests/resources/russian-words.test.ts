import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { controlPcb } from '#resources/control-pcb.ts'
import { sectionLabels } from '#schema/section-labels.ts'

it('has a Russian word each for the dashboard, the first tab of a board and the section with the states', () => {
  const { nav, dashboard } = JSON.parse(readFileSync('public/locales/ru.json', 'utf8'))
  expect(nav.dashboard).toBe(dashboard.title)
  const words = [dashboard.title, controlPcb.tabs?.index?.label[1], sectionLabels.status?.[1]]
  expect(new Set(words).size).toBe(3)
  expect(words).not.toContain(undefined)
})
