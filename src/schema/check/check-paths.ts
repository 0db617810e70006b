import { fieldOf } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'
import { allPaths } from './check-rules.ts'
import { type Report, withArticle } from './report/report.ts'

type PathUse = { code: string; path: string; fits?: (field: Field) => boolean; why?: string }

/** A path to a field, and what its use requires of that field. */
export function checkPath(report: Report, resource: AnyResource, word: unknown, { code, path, fits, why }: PathUse): void {
  const field = fieldOf(resource, String(word))
  const among = allPaths(resource).filter((name) => {
    const other = fieldOf(resource, name)
    return other && (fits?.(other) ?? true)
  })
  if (!field) report(code, path, `there is no field "${String(word)}"`, { word: String(word), among })
  else if (fits && !fits(field))
    report(`${code}-type`, path, `"${String(word)}" is ${withArticle(field.type)}, which cannot be ${why}`, { word: '', among })
}

export function checkPaths(report: Report, resource: AnyResource, { words, ...use }: PathUse & { words: unknown }): void {
  if (words === undefined) return
  if (!Array.isArray(words)) return report('wrong-type', use.path, "expected a list of names of fields, like ['name']")
  for (const [index, word] of words.entries()) checkPath(report, resource, word, { ...use, path: `${use.path}[${index}]` })
}
