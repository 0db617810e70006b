import { fieldOf } from '#schema/definition.ts'
import { type Field, tones } from '#schema/field-types.ts'
import { placesOf } from '#schema/format/filled-text.ts'
import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'
import { allPaths, checkRule } from './check-rules.ts'
import { checkAlike } from './outcome/check-texts.ts'
import { checkLabel, type Report, unknownKeys, unknownWord } from './report/report.ts'

const ago = '.ago'

/** Placeholders that a sentence may use: fields, and the age of their date-times. */
const namesOf = (resource: AnyResource): string[] =>
  allPaths(resource).flatMap((path) => (fieldOf(resource, path)?.type === 'dateTime' ? [path, `${path}${ago}`] : [path]))

const pathsOf = (resource: AnyResource, type: Field['type']): string[] =>
  allPaths(resource).filter((path) => fieldOf(resource, path)?.type === type)

/** True when brackets or braces are left over after removing the well-formed parts. */
const isBroken = (text: string) => /[[\]{}]/.test(text.replaceAll(/\[[^[\]]*\]/g, '').replaceAll(/\{[\w.]+\}/g, ''))

function checkSince(report: Report, resource: AnyResource, path: string, since: unknown): void {
  if (!isObject(since)) return report('wrong-type', path, 'the beginning of a sentence is { state, at }')
  unknownKeys(report, 'unknown-key', path, since, ['state', 'at'], 'the beginning of a sentence')
  unknownWord(report, 'unknown-field', `${path}.state`, since.state, pathsOf(resource, 'status'), 'status')
  unknownWord(report, 'unknown-field', `${path}.at`, since.at, pathsOf(resource, 'dateTime'), 'dateTime')
}

function checkSentence(report: Report, resource: AnyResource, path: string, sentence: unknown): void {
  if (!isObject(sentence)) return report('wrong-type', path, 'a sentence is { when, tone, since?, text, tab?, record? }')
  unknownKeys(report, 'unknown-key', path, sentence, ['when', 'tone', 'since', 'text', 'tab', 'record'], 'a sentence')
  checkRule(report, resource, `${path}.when`, sentence.when)
  unknownWord(
    report,
    'unknown-tone',
    `${path}.tone`,
    sentence.tone,
    [...tones, ...pathsOf(resource, 'status')],
    'tone or status',
  )
  if (sentence.since !== undefined) checkSince(report, resource, `${path}.since`, sentence.since)
  checkLabel(report, `${path}.text`, sentence.text)
  if (sentence.tab !== undefined)
    unknownWord(report, 'unknown-tab', `${path}.tab`, sentence.tab, Object.keys(resource.tabs ?? {}), 'tab')
  if (sentence.record !== undefined)
    unknownWord(report, 'unknown-field', `${path}.record`, sentence.record, pathsOf(resource, 'reference'), 'reference')
  const texts = Array.isArray(sentence.text) ? sentence.text.map(String) : []
  for (const text of texts) {
    if (isBroken(text)) return report('broken-text', `${path}.text`, `"${text}" has a brace or bracket without its other half`)
    const among = namesOf(resource)
    const stray = placesOf(text).find((name) => !among.includes(name))
    if (stray !== undefined)
      return report('unknown-placeholder', `${path}.text`, `nothing fills "{${stray}}" in "${text}"`, { word: stray, among })
  }
  checkAlike(report, `${path}.text`, texts)
}

export function checkWhy(report: Report, resource: AnyResource): void {
  const path = `${resource.name}.why`
  if (resource.why === undefined) return
  if (!Array.isArray(resource.why) || resource.why.length === 0)
    return report('wrong-type', path, '`why` is a list of sentences { when, tone, since?, text, tab?, record? }')
  for (const [index, sentence] of resource.why.entries()) checkSentence(report, resource, `${path}[${index}]`, sentence)
}
