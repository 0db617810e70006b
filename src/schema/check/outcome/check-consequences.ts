import { checkRule } from '#schema/check/check-rules.ts'
import { checkLabel, type Report, unknownKeys } from '#schema/check/report/report.ts'
import { fieldOf } from '#schema/definition.ts'
import { placesOf } from '#schema/format/filled-text.ts'
import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'
import { checkAlike } from './check-texts.ts'

const printable = ['text', 'code', 'email', 'count', 'integer']

/** Fields whose value reads as it is. */
const namesOf = (resource: AnyResource): string[] =>
  Object.keys(resource.fields).filter((name) => printable.includes(fieldOf(resource, name)?.type ?? ''))

function checkConsequence(report: Report, resource: AnyResource, path: string, one: unknown): void {
  if (!isObject(one)) return report('wrong-type', path, 'a consequence is { when?, text }')
  unknownKeys(report, 'unknown-key', path, one, ['when', 'text'], 'a consequence')
  if (one.when !== undefined) checkRule(report, resource, `${path}.when`, one.when)
  checkLabel(report, `${path}.text`, one.text)
  const texts = Array.isArray(one.text) ? one.text.map(String) : []
  const among = namesOf(resource)
  for (const text of texts) {
    const stray = placesOf(text).find((name) => !among.includes(name))
    if (stray !== undefined)
      return report('unknown-placeholder', `${path}.text`, `nothing fills "{${stray}}" in "${text}"`, { word: stray, among })
  }
  checkAlike(report, `${path}.text`, texts)
}

/** Sentences of a confirmation that depend on the record. */
export function checkConsequences(report: Report, resource: AnyResource, path: string, also: unknown): void {
  if (also === undefined) return
  if (!Array.isArray(also) || also.length === 0)
    return report('wrong-type', path, 'consequences are a list of sentences { when?, text }')
  for (const [index, one] of also.entries()) checkConsequence(report, resource, `${path}[${index}]`, one)
}

/** Texts of the dialog that deletes a record. */
export function checkDeletion(report: Report, resource: AnyResource): void {
  const { name, deletion } = resource
  const path = `${name}.deletion`
  if (deletion === undefined) return
  if (!isObject(deletion)) return report('wrong-type', path, 'the texts of a deletion are { body, also?, instead? }')
  unknownKeys(report, 'unknown-key', path, deletion, ['body', 'also', 'instead'], 'a deletion')
  checkLabel(report, `${path}.body`, deletion.body)
  checkConsequences(report, resource, `${path}.also`, deletion.also)
  if (deletion.instead !== undefined) checkLabel(report, `${path}.instead`, deletion.instead)
}
