import { remindOfEmpty } from '#schema/check/never/check-written.ts'
import type { KnownNames } from '#schema/check/report/known-names.ts'
import { type DefinitionFault, newReport, type Report } from '#schema/check/report/report.ts'
import { remindOfPicks } from '#schema/check/use/check-picks.ts'
import { type Definitions, definitionsOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { remindOfClosedTones, remindOfClosedViews } from './closed-fields.ts'
import { remindOfDigits } from './money.ts'
import { remindOfClients, remindOfPlaces, remindOfScopes, remindOfTitles } from './open-records.ts'
import { isLatin, isSame, isUntranslated, sameLabels, strayEndings, textsIn, untranslated } from './texts.ts'

type Reminder = (report: Report, resource: AnyResource, all: Definitions, known: KnownNames) => void

/** Bulk actions whose confirmation text is about one record. */
function remindOfQuestions(report: Report, { name, list, actions = {} }: AnyResource): void {
  for (const [key, { on, confirm }] of Object.entries(actions))
    if (confirm && !confirm.many && (on === 'bulk' || list?.bulk?.includes(key)))
      report(
        'singular-question',
        `${name}.actions.${key}.confirm`,
        'it is asked about several records, too: say in `many` what becomes of them',
      )
}

/** Labels with the same text in both languages, and drafts that still need a translation. */
function remindOfTexts(report: Report, resource: AnyResource): void {
  const labels = textsIn(resource, resource.name)
  for (const { path } of labels.filter(isSame))
    report('same-text', path, 'both languages say the same; translate it, or mark it with a context: `Wi-Fi||name`')
  for (const { path } of labels.filter(isLatin))
    report(
      'not-russian',
      path,
      'the Russian text has no Russian letter; translate it, or mark it with a context: `Wi-Fi||name`',
    )
  for (const { path, texts } of labels.filter(isUntranslated))
    report(
      'untranslated',
      path,
      `"${texts[0]}" waits for its Russian text: write it in the place of "${untranslated}${texts[0]}"`,
    )
}

function remindOfLabels(report: Report, resource: AnyResource): void {
  for (const { path, text, other } of sameLabels(resource))
    report(
      'same-label',
      `${path}`,
      `"${other}" is called "${text}", too, and people cannot tell them apart; call one of them otherwise`,
    )
}

function remindOfEndings(report: Report, { name, fields }: AnyResource): void {
  for (const { path, ending, meant } of strayEndings(fields, `${name}.fields`))
    report('stray-ending', path, `no other file ends in "${ending}"; did you mean "${meant}"?`)
}

const reminders: readonly Reminder[] = [
  remindOfTexts,
  remindOfQuestions,
  remindOfEndings,
  remindOfClosedViews,
  remindOfClosedTones,
  remindOfDigits,
  remindOfLabels,
  remindOfClients,
  remindOfScopes,
  remindOfPlaces,
  remindOfTitles,
  remindOfPicks,
  remindOfEmpty,
]

/** Hints on sound definitions: possibly intended, more often a mistake. */
export function checkHints(resources: readonly AnyResource[], known: KnownNames = {}): DefinitionFault[] {
  const { report, faults } = newReport()
  const all = definitionsOf(resources)
  for (const resource of resources) for (const remind of reminders) remind(report, resource, all, known)
  return faults
}
