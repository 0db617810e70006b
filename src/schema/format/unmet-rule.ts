import { admits } from '#schema/check/check-steps.ts'
import { fieldOf, mayReadPath } from '#schema/definition.ts'
import { choiceLabel, hasChoices } from '#schema/facts/choices.ts'
import { isReference } from '#schema/facts/is-reference.ts'
import type { Field } from '#schema/field-types.ts'
import { measuredText } from '#schema/format/measured-text.ts'
import { isMany } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { fieldsOfRule, holds, type Rule, type RuleContext, type RuleOp, valueAt } from '#schema/rule.ts'
import { composed, type Label, type Language, say } from '#schema/words.ts'

type Leaf = Extract<Rule, { field: string }>
type Judged = { resource: AnyResource; record: Readonly<Record<string, unknown>>; context: RuleContext }

const nothing: Label = ['', '']
const possible: Label = ['It is possible in: {states}', 'Возможно в состояниях: {states}']
const needed: Label = ['Needed: {conditions}', 'Нужно: {conditions}']
const and: Label = [' and ', ' и ']
const or: Label = [' or ', ' или ']
const yes: Label = ['Yes', 'Да']
const no: Label = ['No', 'Нет']

const opposite = {
  eq: 'ne',
  ne: 'eq',
  in: 'nin',
  nin: 'in',
  gt: 'lte',
  lte: 'gt',
  gte: 'lt',
  lt: 'gte',
  null: 'null',
} as const satisfies Record<RuleOp, RuleOp>

const filledIn: Label = ['“{field}” is filled in', 'поле «{field}» заполнено']
const empty: Label = ['“{field}” is empty', 'поле «{field}» пусто']
const another: Label = ['“{field}” has another value', 'у поля «{field}» другое значение']

const sentences: Readonly<Record<Exclude<RuleOp, 'null'>, Label>> = {
  eq: ['“{field}” is {value}', '«{field}» — {value}'],
  ne: ['“{field}” is not {value}', '«{field}» — не {value}'],
  in: ['“{field}” is {value}', '«{field}» — {value}'],
  nin: ['“{field}” is not {value}', '«{field}» — не {value}'],
  gt: ['“{field}” is more than {value}', '«{field}» больше {value}'],
  gte: ['“{field}” is at least {value}', '«{field}» не меньше {value}'],
  lt: ['“{field}” is less than {value}', '«{field}» меньше {value}'],
  lte: ['“{field}” is at most {value}', '«{field}» не больше {value}'],
}

const isTime = ({ type }: Field) => type === 'date' || type === 'dateTime'
const ofTimes: Readonly<Partial<Record<RuleOp, Label>>> = {
  gt: ['“{field}” is after {value}', '«{field}» позже, чем {value}'],
  gte: ['“{field}” is not before {value}', '«{field}» не раньше, чем {value}'],
  lt: ['“{field}” is before {value}', '«{field}» раньше, чем {value}'],
  lte: ['“{field}” is not after {value}', '«{field}» не позже, чем {value}'],
}

const includes: Label = ['“{field}” includes {value}', 'в поле «{field}» есть {value}']
const lacks: Label = ['“{field}” does not include {value}', 'в поле «{field}» нет {value}']
const ofMany: Readonly<Partial<Record<RuleOp, Label>>> = { eq: includes, in: includes, ne: lacks, nin: lacks }

const templates: Readonly<Record<string, Label>> = {
  $now: ['now', 'сейчас'],
  $today: ['today', 'сегодня'],
  '$user.id': ['you', 'вы'],
}

/** A choice by its label, any other text as it is. */
function optionText(field: Field, value: string, language: Language): string {
  if (field.type === 'tags' && field.options)
    return say(choiceLabel({ type: 'enum', label: field.label, options: field.options }, value), language)
  return hasChoices(field) ? say(choiceLabel(field, value), language) : value
}

/** A value of a rule in words; undefined where it has none that a person knows, such as an id. */
function valueText(field: Field, value: unknown, { resource, context }: Judged, language: Language): string | undefined {
  if (typeof value === 'string' && Object.hasOwn(templates, value)) return say(templates[value] ?? nothing, language)
  if (typeof value === 'string' && value.startsWith('$record.')) {
    const path = value.slice('$record.'.length)
    const other = mayReadPath(resource, context.user.role, path) ? fieldOf(resource, path) : undefined
    return other && `“${say(other.label, language)}”`
  }
  if (typeof value === 'boolean') return say(value ? yes : no, language)
  if (typeof value === 'number') return measuredText(value, 'unit' in field ? field.unit : undefined, language)
  if (typeof value !== 'string' || isReference(field)) return undefined
  return optionText(field, value, language)
}

/** A boolean that is not true is false: it reads better than "is not Yes". */
function plain(leaf: Leaf): Leaf {
  const isTurned = leaf.op === 'ne' && typeof leaf.value === 'boolean'
  return isTurned ? { ...leaf, op: 'eq', value: !leaf.value } : leaf
}

function leafText(field: Field, leaf: Leaf, judged: Judged, language: Language): string {
  const { op, value } = plain(leaf)
  const label = say(field.label, language)
  const isEmptiness = op === 'null' || value === null
  if (isEmptiness) return say((op === 'null' ? value === true : op === 'eq') ? empty : filledIn, language, { field: label })
  const texts = [value].flat().map((one) => valueText(field, one, judged, language))
  const known = texts.filter((text) => text !== undefined)
  const own = isTime(field) ? ofTimes : isMany(field) ? ofMany : undefined
  const sentence = own?.[op] ?? sentences[op]
  return say(known.length < texts.length ? another : sentence, language, { field: label, value: known.join(say(or, language)) })
}

/** A rule turned so that negation stands at its leaves only. */
function turned(rule: Rule, isTurned: boolean): Rule {
  if ('not' in rule) return turned(rule.not, !isTurned)
  if ('all' in rule || 'any' in rule) {
    const isAll = 'all' in rule !== isTurned
    const parts = ('all' in rule ? rule.all : rule.any).map((part) => turned(part, isTurned))
    return isAll ? { all: parts } : { any: parts }
  }
  if (!isTurned) return rule
  return { ...rule, op: opposite[rule.op], value: rule.op === 'null' ? rule.value !== true : rule.value }
}

/** The parts of a rule that do not hold, in words; empty where the caller may not read what they are about. */
function conditionsIn(rule: Rule, judged: Judged, language: Language): string {
  const { resource, record, context } = judged
  if ('not' in rule || holds(rule, record, context)) return ''
  if ('all' in rule || 'any' in rule) {
    const isAll = 'all' in rule
    const texts = (isAll ? rule.all : rule.any).map((part) => conditionsIn(part, judged, language)).filter(Boolean)
    return [...new Set(texts)].join(say(isAll ? and : or, language))
  }
  const field = mayReadPath(resource, context.user.role, rule.field) ? fieldOf(resource, rule.field) : undefined
  return field ? leafText(field, rule, judged, language) : ''
}

/** The states that a rule admits, where the present one is not among them. */
function statesFor(when: Rule, { resource, record, context }: Judged): Label | undefined {
  for (const name of new Set(fieldsOfRule(when))) {
    const field = fieldOf(resource, name)
    if (field?.type !== 'status' || !mayReadPath(resource, context.user.role, name)) continue
    const states = Object.keys(field.states).filter((state) => admits(when, name, state))
    if (states.length === 0 || states.includes(String(valueAt(record, name)))) continue
    return composed((language) =>
      say(possible, language, { states: states.map((state) => say(choiceLabel(field, state), language)).join(', ') }),
    )
  }
  return undefined
}

/**
 * Why a condition refuses: the states that it admits, or what is missing of the record; empty where the caller may read neither.
 */
export function unmetReason(when: Rule | undefined, judged: Judged): Label {
  if (!when) return nothing
  const states = statesFor(when, judged)
  if (states) return states
  const rule = turned(when, false)
  return composed((language) => {
    const conditions = conditionsIn(rule, judged, language)
    return conditions && say(needed, language, { conditions })
  })
}

/** The end of a refusal by a condition, as a sentence of its own. */
export function unmetText(when: Rule | undefined, judged: Judged): Label {
  const reason = unmetReason(when, judged)
  return composed((language) => {
    const text = say(reason, language)
    return text && `. ${text}`
  })
}
