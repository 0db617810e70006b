import { entriesOf, type Report } from '#schema/check/report/report.ts'
import { baseOf, type Definitions, pathOf } from '#schema/definition.ts'
import { keyCharacters, longestKey } from '#schema/facts/longest-text.ts'
import type { FieldType } from '#schema/field-types.ts'
import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'

/** Blanks around a text are seen by nobody and make it another one. */
function checkBlanks(report: Report, path: string, value: unknown): void {
  if (typeof value === 'string') {
    if (value !== value.trim() && value.trim() !== '')
      report('stray-blank', path, `"${value}" begins or ends with a blank; drop it`)
    return
  }
  if (Array.isArray(value)) for (const [index, item] of value.entries()) checkBlanks(report, `${path}[${index}]`, item)
  else for (const [key, item] of entriesOf(value)) checkBlanks(report, `${path}.${key}`, item)
}

/** Choices are used in addresses, import files and rules, which lose blanks around them. Those of a list are texts above. */
function checkChoices(report: Report, path: string, fact: string, choices: unknown): void {
  const odd = Array.isArray(choices)
    ? choices.map(String).find((key) => key.trim() === '')
    : entriesOf(choices).find(([key]) => key === '' || key !== key.trim())?.[0]
  if (odd !== undefined)
    report(
      'bad-choice',
      `${path}.${fact}`,
      `"${odd}" is no choice: a value is not empty and neither begins nor ends with a blank; its label says it in words`,
    )
}

function checkFields(report: Report, path: string, fields: unknown): void {
  for (const [name, field] of entriesOf(fields)) {
    if (!isObject(field)) continue
    const at = `${path}.${name}`
    for (const fact of ['options', 'states']) checkChoices(report, at, fact, field[fact])
    checkFields(report, `${at}.fields`, field.fields)
  }
}

/** The list of another table holds other records. */
function checkList(report: Report, resource: AnyResource, all: Definitions): void {
  const own = resource.api?.list
  if (typeof own !== 'string') return
  const other = [...all.values()].find((one) => one !== resource && pathOf(one, 'list') === own)
  if (other && baseOf(other) !== baseOf(resource))
    report(
      'foreign-list',
      `${resource.name}.api.list`,
      `"${own}" lists records of ${other.name}; drop it, or make this a subset: { of: '${other.name}', … }`,
    )
}

/** Two sets of the same fields are one. */
function checkUnique(report: Report, { name, unique }: AnyResource): void {
  const sets = (Array.isArray(unique) ? unique : []).map((set) => [set].flat().toSorted().join(' '))
  for (const [index, set] of sets.entries())
    if (sets.indexOf(set) < index) report('said-twice', `${name}.unique[${index}]`, `"${set}" stands here already; drop one`)
}

const shorter: Partial<Record<FieldType, string>> = {
  url: "take type: 'text' with a maxLength",
  hex: 'say a smaller number of bytes',
}

/** A unique value is indexed, and index rows are shorter than the longest texts. */
function checkKeyLength(report: Report, { name, fields, unique }: AnyResource): void {
  const check = (at: string, paths: readonly string[]) => {
    const parts = paths.flatMap((path) => (Object.hasOwn(fields, path) ? (fields[path] ?? []) : []))
    const characters = parts.reduce((sum, field) => sum + keyCharacters(field), 0)
    if (characters <= longestKey) return
    const way = parts.flatMap(({ type }) => shorter[type] ?? [])[0] ?? 'say a smaller maxLength'
    report(
      'key-too-long',
      `${name}.${at}`,
      `what is unique has up to ${longestKey} characters, and here there may be ${characters}; ${way}`,
    )
  }
  for (const [key, field] of entriesOf(fields)) if (isObject(field) && field.unique) check(`fields.${key}`, [key])
  for (const [index, set] of (Array.isArray(unique) ? unique : []).entries())
    check(`unique[${index}]`, [set].flat().map(String))
}

/** Names and texts that nobody can type, read or tell apart. */
export function checkNames(report: Report, resource: AnyResource, all: Definitions): void {
  checkBlanks(report, resource.name, resource)
  checkFields(report, `${resource.name}.fields`, resource.fields)
  for (const [key, action] of entriesOf(resource.actions))
    checkFields(report, `${resource.name}.actions.${key}.form`, isObject(action) ? action.form : undefined)
  checkList(report, resource, all)
  checkUnique(report, resource)
  checkKeyLength(report, resource)
}
