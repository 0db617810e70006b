import { systemFields } from '#schema/resource.ts'
import type { Report } from './report.ts'

/** Names that addresses and calls use for themselves, or that every object has. */
export const namesInUse: readonly string[] = [
  'q',
  'sort',
  'page',
  'limit',
  'columns',
  'tab',
  'current',
  'constructor',
  'prototype',
  'toString',
  'toJSON',
  'valueOf',
  'hasOwnProperty',
]
const reservedNames = new Set([...Object.keys(systemFields), ...namesInUse])
/** System columns of every PostgreSQL table. */
const systemColumns = new Set(['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid'])
const opEnding = /_(ne|gte|lte|like|null)$/

const longestName = 57

const camelOf = (name: string): string =>
  name
    .replace(opEnding, '')
    .replace(/^[^a-zA-Z]+/, '')
    .replace(/[^a-zA-Z0-9]+(.?)/g, (_, next: string) => next.toUpperCase())
    .replace(/^./, (first) => first.toLowerCase()) || 'code'

export function checkName(report: Report, path: string, name: string): void {
  if (reservedNames.has(name))
    return report('reserved-name', path, `"${name}" is taken by the console itself; call the field otherwise`)
  if (systemColumns.has(name))
    return report('reserved-name', path, `"${name}" is a column that every table of PostgreSQL has; call the field otherwise`)
  const isWord = /^[a-z][a-zA-Z0-9]*$/.test(name) && !opEnding.test(name)
  if (isWord && name.length > longestName)
    return report(
      'bad-field-name',
      path,
      `"${name}" is too long for the name of a field: ${name.length} letters, and ${longestName} are possible`,
    )
  const good = isWord || /^[1-9][0-9]?$/.test(name)
  if (!good || opEnding.test(name))
    report('bad-field-name', path, `"${name}" is no name of a field: camelCase of letters and digits, like "${camelOf(name)}"`)
}

/** A name as resources have them: `Site_Visit` → `site-visit`. */
export const kebabOf = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[^a-zA-Z0-9]+/g, '-')
    .replace(/^[-0-9]+|-+$/g, '')
    .toLowerCase() || 'service-visit'
