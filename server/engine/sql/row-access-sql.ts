import { type RawBuilder, sql } from 'kysely'
import { baseOf, mayReadPath, rolesFor } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Rule, RuleContext } from '#schema/rule.ts'
import type { Source } from './field-sql.ts'
import { compileRule, type RuleFields } from './rule-sql.ts'

/** Records of a resource that a caller may see: all, none, or those matching a condition on "t". */
export type RowAccessSql = 'all' | 'none' | RawBuilder<boolean>

type FieldsOf = (source: Source) => RuleFields

/** Rules for a row of the table to belong to the resource. */
const subsetRules = ({ subset }: AnyResource): Rule[] =>
  Object.entries(subset?.where ?? {}).map(([field, value]) => ({ field, op: 'eq', value }))

/** Rules under which a role sees a record: through a definition over its table, or as its own. */
function accessRules({ definitions, resource, rules }: Source, { user }: RuleContext): Rule[] {
  const family = [...definitions.values()].filter((other) => baseOf(other) === baseOf(resource))
  const open = family.filter((member) => [...rolesFor(member, 'show'), ...rolesFor(member, 'list')].includes(user.role))
  return [
    ...open.map((member): Rule => {
      const scope = member.scope?.[user.role]
      return { all: [...(member === resource ? [] : subsetRules(member)), ...(scope ? [scope] : [])] }
    }),
    ...family.flatMap(({ name }) => rules[name]?.own?.when ?? []),
  ]
}

/** Row access of the source's caller. Rules read stored values, not masked ones. */
export function rowAccessSql(source: Source, fieldsOf: FieldsOf): RowAccessSql {
  const { caller, now, isJudging } = source
  if (!caller || isJudging) return 'all'
  const context: RuleContext = { user: { id: caller.userId, role: caller.role }, now: now.toISOString() }
  const rules = accessRules(source, context)
  if (rules.length === 0) return 'none'
  if (rules.some((rule) => 'all' in rule && rule.all.length === 0)) return 'all'
  return compileRule({ any: rules }, context, fieldsOf({ ...source, isWhole: true, isJudging: true }))
}

/** Row access as an additional `and` condition. */
export const andRowAccess = (access: RowAccessSql | undefined): RawBuilder<unknown> =>
  access === undefined || access === 'all' ? sql`` : sql` and ${access === 'none' ? sql`false` : access}`

/** True for a field that a reference shows even for records that the caller may not see. */
export const isShownUnseen = ({ resource, caller }: Source, path: string): boolean =>
  !caller || (resource.unseen?.[caller.role] ?? []).includes(path)

/** True when references to records that the caller may not see have not even an id: `unseen` of the role is empty. */
export const hidesIds = (target: Source, fieldsOf: FieldsOf): boolean =>
  !!target.caller && target.resource.unseen?.[target.caller.role]?.length === 0 && rowAccessSql(target, fieldsOf) !== 'all'

/** A value of a referenced record; null when the caller may read neither the record nor this field of it. */
export function visibleValue(
  source: Source,
  path: string,
  value: RawBuilder<unknown>,
  fieldsOf: FieldsOf,
): RawBuilder<unknown> {
  const { resource, caller } = source
  if (caller && !mayReadPath(resource, caller.role, path)) return sql`null`
  const access = isShownUnseen(source, path) ? 'all' : rowAccessSql(source, fieldsOf)
  if (access === 'all') return value
  return access === 'none' ? sql`null` : sql`(case when ${access} then ${value} end)`
}
