import { describe, expect, it } from 'vitest'
import { firstSteps } from '#resources/fleet/first-steps.ts'
import { resources } from '#resources/index.ts'
import { rolesFor, routeOf } from '#schema/definition.ts'
import { parseListQuery } from '#schema/list-query.ts'
import { isRole } from '#schema/roles.ts'

const steps = Object.entries(firstSteps).flatMap(([role, rows]) => rows.map((step) => ({ ...step, role, name: step.label[0] })))
const named = (name: string) => resources.find((each) => each.name === name)
const pages = new Map(resources.map((each) => [routeOf(each), each]))

describe('the first steps of a role', () => {
  it('are six', () => {
    expect(Object.values(firstSteps).map((rows) => rows.length)).toEqual([6, 6, 6])
  })

  it.each(steps)('$role: "$name" is proved by a list that the role may count', ({ role, resource, filters = {} }) => {
    const definition = named(resource)
    if (!definition || !isRole(role)) throw new Error(`${resource} or ${role} is unknown`)
    expect(rolesFor(definition, 'list')).toContain(role)
    const input = Object.fromEntries(Object.entries(filters).map(([key, value]) => [key, [value].flat().map(String)]))
    expect(parseListQuery(definition, input).faults).toEqual([])
  })

  it.each(steps)('$role: "$name" leads to a page that the role may open', ({ role, href }) => {
    const [, route = '', page] = href.split(/[/?]/)
    if (route === 'inbox') return
    const definition = pages.get(route)
    if (!definition || !isRole(role)) throw new Error(`${href} or ${role} is unknown`)
    expect(rolesFor(definition, page === 'create' ? 'create' : 'list')).toContain(role)
  })
})
