import { allFields, fieldOf } from '#schema/definition.ts'
import { type Figure, figurePlaces, figureTones } from '#schema/facts/figure-facts.ts'
import type { Field } from '#schema/field-types.ts'
import { figureFilters } from '#schema/figures.ts'
import { isObject } from '#schema/is-object.ts'
import { operatorsOf, parseListQuery, splitKey } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { checkPath } from './check-paths.ts'
import { allPaths } from './check-rules.ts'
import { kindOf } from './check-values.ts'
import { checkLabel, entriesOf, type Report, unknownKeys, unknownWord, withArticle } from './report/report.ts'

type Definitions = ReadonlyMap<string, AnyResource>

const countKeys = ['place', 'filters', 'label', 'tone']
const splitKeys = ['place', 'filters', 'label', 'by', 'whole', 'worstFirst', 'states']

function checkStates(report: Report, path: string, states: unknown, all: Definitions): void {
  if (!isObject(states)) return
  const target = all.get(String(states.resource))
  if (!target) return unknownWord(report, 'unknown-resource', `${path}.resource`, states.resource, [...all.keys()], 'resource')
  for (const key of ['match', 'field'])
    unknownWord(report, 'unknown-field', `${path}.${key}`, states[key], Object.keys(allFields(target)), 'field')
}

/** Words about a filter that the list does not have. */
function filterWords(resource: AnyResource, key: string): [string, { word: string; among: readonly string[] }?] {
  const { field: name, op } = splitKey(key)
  const field = fieldOf(resource, name)
  if (!field) return [`there is no field "${name}"`, { word: name, among: allPaths(resource) }]
  const operators = operatorsOf(field)
  const times = kindOf(field) === 'time' ? ', like "$now", "$today+30d" or "2026-01-31"' : ''
  if (operators.includes(op)) return [`"${name}" takes the value of ${withArticle(field.type)}${times}`]
  return [`"${name}" is ${withArticle(field.type)}, which cannot be filtered by "${op}"`, { word: '', among: operators }]
}

function checkFigure(report: Report, resource: AnyResource, path: string, figure: Figure, all: Definitions): void {
  unknownKeys(report, 'unknown-key', path, figure, figure.by === undefined ? countKeys : splitKeys, 'a figure')
  unknownWord(report, 'unknown-place', `${path}.place`, figure.place, figurePlaces, 'place')
  if (figure.by === undefined) unknownWord(report, 'unknown-tone', `${path}.tone`, figure.tone, figureTones, 'tone')
  else {
    const fits = { fits: (field: Field) => operatorsOf(field).length > 0, why: 'counted by value' }
    checkPath(report, resource, figure.by, { code: 'unknown-figure-field', path: `${path}.by`, ...fits })
    checkStates(report, `${path}.states`, figure.states, all)
  }
  if (figure.by === undefined || figure.label !== undefined) checkLabel(report, `${path}.label`, figure.label)
  for (const fault of parseListQuery(resource, figureFilters(resource, figure, new Date(0))).faults)
    report('bad-figure-filter', `${path}.filters.${fault.path}`, ...filterWords(resource, fault.path))
}

/** Figures of the dashboard: the list that each of them opens takes its filters. */
export function checkFigures(report: Report, resource: AnyResource, all: Definitions): void {
  for (const [name, figure] of entriesOf(resource.figures)) {
    const path = `${resource.name}.figures.${name}`
    const known = resource.figures?.[name]
    if (!isObject(figure) || !known) report('wrong-type', path, 'a figure is { place, label, tone, filters } or { place, by }')
    else checkFigure(report, resource, path, known, all)
  }
}
