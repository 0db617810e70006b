import { allFields } from '#schema/definition.ts'
import { type Figure, figurePlaces, figureTones } from '#schema/facts/figure-facts.ts'
import { type Field, traitsOf } from '#schema/field-types.ts'
import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'
import { roles } from '#schema/roles.ts'
import { checkFilters } from './check-filters.ts'
import { checkPath } from './check-paths.ts'
import { checkLabel, entriesOf, type Report, unknownKeys, unknownWord, unknownWords } from './report/report.ts'

type Definitions = ReadonlyMap<string, AnyResource>

const countKeys = ['place', 'filters', 'roles', 'label', 'tone']
const splitKeys = ['place', 'filters', 'roles', 'label', 'by', 'whole', 'worstFirst', 'states']

function checkStates(report: Report, path: string, states: unknown, all: Definitions): void {
  if (!isObject(states)) return
  const target = all.get(String(states.resource))
  if (!target) return unknownWord(report, 'unknown-resource', `${path}.resource`, states.resource, [...all.keys()], 'resource')
  for (const key of ['match', 'field'])
    unknownWord(report, 'unknown-field', `${path}.${key}`, states[key], Object.keys(allFields(target)), 'field')
}

/** Values that many records share; free texts and numbers make a bar of each record. */
const isCounted = (field: Field) =>
  ['tags', 'choice', 'boolean', 'reference'].includes(traitsOf(field).compare) ||
  field.type === 'semver' ||
  (field.type === 'integer' && !!field.options)

function checkFigure(report: Report, resource: AnyResource, path: string, figure: Figure, all: Definitions): void {
  unknownKeys(report, 'unknown-key', path, figure, figure.by === undefined ? countKeys : splitKeys, 'a figure')
  unknownWords(report, 'unknown-role', `${path}.roles`, figure.roles, roles, 'role')
  unknownWord(report, 'unknown-place', `${path}.place`, figure.place, figurePlaces, 'place')
  if (figure.by === undefined) unknownWord(report, 'unknown-tone', `${path}.tone`, figure.tone, figureTones, 'tone')
  else {
    const fits = { fits: isCounted, why: 'counted by value' }
    checkPath(report, resource, figure.by, { code: 'unknown-figure-field', path: `${path}.by`, ...fits })
    checkStates(report, `${path}.states`, figure.states, all)
  }
  if (figure.by === undefined || figure.label !== undefined) checkLabel(report, `${path}.label`, figure.label)
  checkFilters(report, resource, `${path}.filters`, figure.filters ?? {}, 'moments')
}

/** Dashboard figures: the list that a figure opens must accept its filters. */
export function checkFigures(report: Report, resource: AnyResource, all: Definitions): void {
  for (const [name, figure] of entriesOf(resource.figures)) {
    const path = `${resource.name}.figures.${name}`
    const known = resource.figures?.[name]
    if (!isObject(figure) || !known) report('wrong-type', path, 'a figure is { place, label, tone, filters } or { place, by }')
    else checkFigure(report, resource, path, known, all)
  }
}
