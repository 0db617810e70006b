import { expect, it } from 'vitest'
import { resources } from '#resources/index.ts'
import { definitionsOf } from '#schema/definition.ts'
import { permissionsFor } from '#schema/permission-snapshot.ts'
import { ownPages, pagesFor } from '#shell/own-pages.ts'

const definitions = definitionsOf(resources)

it('every page of the shell needs a resource that there is', () => {
  const named = ownPages.flatMap(({ needs }) => needs?.resource ?? [])
  expect(named.filter((name) => !definitions.has(name))).toEqual([])
})

it.each([
  ['admin', ['inbox', 'filling']],
  ['service_engineer', ['inbox']],
  ['client', []],
] as const)('a %s is offered the pages of his role', (role, pages) => {
  expect(pagesFor(role, permissionsFor(definitions, role)).map(({ key }) => key)).toEqual(pages)
  expect(pagesFor(role, {})).toEqual([])
})
