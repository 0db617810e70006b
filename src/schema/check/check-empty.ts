import { isObject } from '#schema/is-object.ts'
import { checkLabel, type Report, unknownKeys, unknownWord } from './report/report.ts'

export function checkEmpty(report: Report, path: string, empty: unknown, resources: ReadonlyMap<string, unknown>): void {
  if (empty === undefined) return
  if (!isObject(empty)) return report('wrong-type', path, 'the words of an empty list are { title, text, first?, sendsTo? }')
  unknownKeys(report, 'unknown-key', path, empty, ['title', 'text', 'first', 'sendsTo'], 'an empty list')
  if (empty.sendsTo !== undefined)
    unknownWord(report, 'unknown-resource', `${path}.sendsTo`, empty.sendsTo, [...resources.keys()], 'resource')
  for (const key of ['title', 'text', ...(empty.first === undefined ? [] : ['first'])])
    checkLabel(report, `${path}.${key}`, empty[key])
}
