import { isWritable } from '#schema/definition.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { isMany } from '#schema/list-query.ts'
import { ruleFaults } from '#schema/record-schema.ts'
import type { AnyResource } from '#schema/resource.ts'
import { fieldsOfRule, type Rule, type RuleContext, resolveValue } from '#schema/rule.ts'
import { valueSchema } from '#schema/value-schema.ts'
import { sampleOf } from './samples.ts'

type Json = Record<string, unknown>

/** Caller and clock of the rules; the server that a definition is proven on has the same day. */
export const nobody: RuleContext = { user: { id: 'u1', role: 'admin' }, now: '2026-03-02T08:00:00.000Z' }

const constantsOf = (rule: Rule): unknown[] => {
  if ('all' in rule) return rule.all.flatMap(constantsOf)
  if ('any' in rule) return rule.any.flatMap(constantsOf)
  if ('not' in rule) return constantsOf(rule.not)
  return [rule.value].flat()
}

const seedsTried = 60
const dayMs = 86_400_000

/** Values just below and above one: what compares with it finds one of them. */
function besides(value: unknown): unknown[] {
  if (typeof value === 'number') return [value, value - 1, value + 1]
  const at = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(at)) return [value]
  return [value, ...[at - dayMs, at + dayMs].map((time) => new Date(time).toISOString().slice(0, String(value).length))]
}

/** Values to try in a field: samples, and what stands around the constants that its rules compare with. */
function candidatesOf(field: Field, rules: readonly Rule[], seed: number, record: Json = {}): unknown[] {
  const named = rules.flatMap(constantsOf).map((value) => resolveValue(value, record, nobody))
  const around = named.flatMap((value) => (isMany(field) ? [[value]] : besides(value)))
  const past = field.type === 'date' ? ['2020-03-02'] : ['2020-03-02T08:00:00.000Z']
  const samples = Array.from({ length: seedsTried }, (_, step) => sampleOf(field, seed + step))
  const empty = field.required === true ? [] : [undefined]
  const fits = [...samples, ...around, ...past].filter(
    (value) => value !== undefined && value !== null && valueSchema(field).safeParse(value).success,
  )
  return [...new Set([...fits, ...empty])]
}

const preset = (of: AnyResource): Json =>
  Object.fromEntries(
    Object.entries<Field>(of.fields).map(([name, field]) => [
      name,
      'default' in field && !String(field.default).match(/[{$]/) ? (field.default ?? null) : null,
    ]),
  )

/** The rules of a definition that these values of a record break. */
function brokenRules(of: AnyResource, values: Json): Rule[] {
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
  const faults = ruleFaults(of, { ...preset(of), ...given }, nobody)
  return faults.flatMap(({ rule }) => (rule === undefined ? [] : (of.rules?.[rule]?.rule ?? [])))
}

const triesAtMost = 4000

type Free = { name: string; values: readonly unknown[] }

/** Values to try in the place of these: of one field at a time, then of two. */
function* variants(values: Json, free: readonly Free[]): Generator<Json> {
  for (const { name, values: each } of free) for (const value of each) yield { ...values, [name]: value }
  for (const first of free)
    for (const second of free.filter(({ name }) => name > first.name))
      for (const value of first.values)
        for (const other of second.values) yield { ...values, [first.name]: value, [second.name]: other }
}

/** Other values for one rule out of the fields that it reads; undefined where a search finds none. */
function mended(
  of: AnyResource,
  values: Json,
  rule: Rule,
  { seed, open }: { seed: number; open: (name: string) => Field | undefined },
): Json | undefined {
  const rules = of.rules?.map((one) => one.rule) ?? []
  const tops = new Set(fieldsOfRule(rule).map((path) => path.split('.')[0] ?? path))
  const free = [...tops].flatMap((name) => {
    const field = open(name)
    return field ? [{ name, values: candidatesOf(field, rules, seed, values) }] : []
  })
  const before = brokenRules(of, values).length
  let tries = 0
  for (const next of variants(values, free)) {
    if (brokenRules(of, next).length < before) return next
    tries += 1
    if (tries > triesAtMost) return undefined
  }
  return undefined
}

/** Values that keep the rules of the definition, as near to these as a search finds; undefined where it finds none. */
export function fitting(of: AnyResource, values: Json, seed: number, fixed: readonly string[] = []): Json | undefined {
  const open = (name: string) => {
    const field = of.fields[name]
    return field && isWritable(field, 'create') && !fixed.includes(name) ? field : undefined
  }
  return searched(of, values, { seed, open })
}

function searched(of: AnyResource, values: Json, options: Parameters<typeof mended>[3]): Json | undefined {
  let at = values
  for (let broken = brokenRules(of, at); broken.length > 0; broken = brokenRules(of, at)) {
    const next = broken.map((rule) => mended(of, at, rule, options)).find((one) => one !== undefined)
    if (!next) return undefined
    at = next
  }
  return Object.fromEntries(Object.entries(at).filter(([, value]) => value !== undefined))
}

type OfForm = { record: Json; values: Json; form: Fields }

/** Values of an action's form with which the record keeps its rules; undefined where a search finds none. */
export function fittingForm(of: AnyResource, { record, values, form }: OfForm, seed: number): Json | undefined {
  const isStored = (name: string) => Object.hasOwn(of.fields, name)
  const open = (name: string) => (isStored(name) && Object.hasOwn(form, name) ? form[name] : undefined)
  const stored = Object.fromEntries(Object.entries(values).filter(([name]) => isStored(name)))
  const found = searched(of, { ...record, ...stored }, { seed, open })
  if (!found) return undefined
  // The fitting value may be the one that the record has already.
  const isTold = (name: string) => Object.hasOwn(values, name) || found[name] !== record[name]
  const moved = Object.keys(form).filter((name) => isStored(name) && isTold(name))
  return { ...values, ...Object.fromEntries(moved.map((name) => [name, found[name]])) }
}

/** Another value of one field of a record that keeps the rules beside its other values; undefined where there is none. */
export function otherValue(of: AnyResource, record: Json, name: string, seed: number): unknown {
  const field = of.fields[name]
  if (!field) return undefined
  const sample = sampleOf(field, seed)
  return [sample, ...candidatesOf(field, of.rules?.map(({ rule }) => rule) ?? [], seed)].find(
    (value) =>
      value !== undefined &&
      JSON.stringify(value) !== JSON.stringify(record[name]) &&
      brokenRules(of, { ...record, [name]: value }).length === 0,
  )
}
