import { expect, it } from 'vitest'
import { firmware } from '#resources/firmware.ts'
import { resources } from '#resources/index.ts'
import { isWritable, sectionsOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { sectionLabels } from '#schema/section-labels.ts'

const formOf = (resource: AnyResource) =>
  Object.values(sectionsOf(resource))
    .flatMap(({ fields }) => fields)
    .filter((name) => {
      const field = resource.fields[name]
      return field && isWritable(field, 'edit')
    })

it('lets the form of a firmware begin with what is written about it', () => {
  expect(formOf(firmware)).toEqual(['releaseNotes', 'mandatory'])
})

it('shares the titles of sections that a definition uses, and no others', () => {
  const used = resources.flatMap(({ sections = {} }: AnyResource) =>
    Object.entries(sections).flatMap(([name, section]) => ('label' in section ? [] : [name])),
  )
  expect(Object.keys(sectionLabels).filter((name) => !used.includes(name))).toEqual([])
})
