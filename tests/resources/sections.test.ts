import { expect, it } from 'vitest'
import { firmware } from '#resources/firmware.ts'
import { isWritable, sectionsOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'

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
