import { expect, it } from 'vitest'
import { widgetNames } from '#schema/widget-names.ts'
import { widgets } from '#widgets/registry.ts'

it('has a component for every widget that a definition may name, and for no other', () => {
  expect(Object.keys(widgets).toSorted()).toEqual([...widgetNames].toSorted())
})
