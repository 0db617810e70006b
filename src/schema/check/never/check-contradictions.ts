import { checkRule } from '#schema/check/check-rules.ts'
import { entriesOf, newCount, type Report } from '#schema/check/report/report.ts'
import { allFields } from '#schema/definition.ts'
import type { Confirm } from '#schema/facts/action-facts.ts'
import type { Fields } from '#schema/field-types.ts'
import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'
import { fieldsOfRule, type Rule } from '#schema/rule.ts'
import { isSatisfiable } from './satisfiable.ts'

/** A rule of a definition and its effect when it never holds. `isDraft`: a form asks it, too, where fields are empty still. */
type Place = { path: string; rule: unknown; fields: Fields; effect: string; isDraft?: true }

const factEffects = [
  ['when', 'the field is never shown'],
  ['required', 'it is never required'],
  ['readOnly', 'it is never read-only'],
] as const

const ofFields = (path: string, asked: Fields, fields: Fields): Place[] =>
  Object.entries(asked).flatMap(([name, field]) =>
    factEffects.map(([fact, effect]) => ({
      path: `${path}.${name}.${fact}`,
      rule: isObject(field) ? field[fact] : undefined,
      fields,
      effect,
      isDraft: true as const,
    })),
  )

const alsoOf = (confirm: Pick<Confirm, 'also'> | undefined): readonly { when?: unknown }[] =>
  Array.isArray(confirm?.also) ? confirm.also.filter(isObject) : []

function ofActions({ name, actions = {} }: AnyResource, fields: Fields): Place[] {
  return Object.entries(actions).flatMap(([key, action]) => {
    if (!isObject(action)) return []
    const { when, form = {}, confirm } = action
    const path = `${name}.actions.${key}`
    const known: Fields = { ...fields, ...form }
    return [
      { path: `${path}.when`, rule: when, fields, effect: 'the action is never offered' },
      ...alsoOf(confirm).map(({ when: rule }, index) => ({
        path: `${path}.confirm.also[${index}].when`,
        rule,
        fields,
        effect: 'the sentence is never said',
      })),
      ...ofFields(`${path}.form`, form, known),
    ]
  })
}

function placesIn(resource: AnyResource): Place[] {
  const { name, scope, when, list, sections, why = [], rules = [], deletion } = resource
  const fields = allFields(resource)
  const at = (path: string, rule: unknown, effect: string): Place => ({ path: `${name}.${path}`, rule, fields, effect })
  return [
    ...entriesOf(scope).map(([role, rule]) => at(`scope.${role}`, rule, `${role} sees no record`)),
    ...entriesOf(when).map(([verb, rule]) => at(`when.${verb}`, rule, `no record is open to "${verb}"`)),
    ...entriesOf(list?.tone).map(([tone, rule]) => at(`list.tone.${tone}`, rule, 'no row has the tone')),
    ...entriesOf(sections).map(([key, section]) =>
      at(`sections.${key}.when`, isObject(section) ? section.when : undefined, 'the section is never shown'),
    ),
    ...why.map((sentence, index) => at(`why[${index}].when`, sentence.when, 'the sentence is never said')),
    ...alsoOf(deletion).map(({ when: rule }, index) => at(`deletion.also[${index}].when`, rule, 'the sentence is never said')),
    ...rules.map(({ rule }, index) => at(`rules[${index}].rule`, rule, 'every record is refused')),
    ...ofFields(`${name}.fields`, resource.fields, fields),
    ...ofActions(resource, fields),
  ]
}

/** A faulty rule has its own fault. */
function isSound(resource: AnyResource, rule: unknown, fields: Fields): rule is Rule {
  const counted = newCount(() => undefined)
  checkRule(counted.report, resource, '', rule, fields)
  return counted.count() === 0
}

const asked = (rule: Rule) => [...new Set(fieldsOfRule(rule))].map((name) => `"${name}"`).join(' and ')

/** Reports the first rule that refuses what those before it ask for. */
function checkTogether(report: Report, resource: AnyResource): void {
  const { name, rules = [] } = resource
  const fields = allFields(resource)
  const sound = rules.flatMap(({ rule }, index) =>
    isSound(resource, rule, fields) && isSatisfiable(rule, fields) ? [{ rule, index }] : [],
  )
  const last = sound.find((_, at) => !isSatisfiable({ all: sound.slice(0, at + 1).map(({ rule }) => rule) }, fields))
  if (last)
    report(
      'never-possible',
      `${name}.rules[${last.index}].rule`,
      `no record fulfils it together with the rules before it, so every record is refused: let the conditions on ${asked(last.rule)} agree`,
    )
}

/** Rules that never hold, alone or together: two values of one field at once, or values between bounds that cross. */
export function checkContradictions(report: Report, resource: AnyResource): void {
  for (const { path, rule, fields, effect, isDraft } of placesIn(resource))
    if (rule !== undefined && rule !== true && isSound(resource, rule, fields) && !isSatisfiable(rule, fields, isDraft))
      report(
        'never-possible',
        path,
        `no value of ${asked(rule)} fulfils it, so ${effect}; let its conditions agree, or join them by \`any\``,
      )
  checkTogether(report, resource)
}
