import { isObject } from '#schema/is-object.ts'
import { checkLabel, type Report, unknownKeys } from './report/report.ts'

export function checkEmpty(report: Report, path: string, empty: unknown): void {
  if (empty === undefined) return
  if (!isObject(empty)) return report('wrong-type', path, 'the words of an empty list are { title, text, first? }')
  unknownKeys(report, 'unknown-key', path, empty, ['title', 'text', 'first'], 'an empty list')
  for (const key of ['title', 'text', ...(empty.first === undefined ? [] : ['first'])])
    checkLabel(report, `${path}.${key}`, empty[key])
}
