import type { Row } from '#fields/field-kind.ts'
import { fieldsOfRule, holds, type Rule, type RuleContext, topOf, valueAt } from '#schema/rule.ts'

/** A list row lacks fields: a rule about one of them counts as met, so that no consequence is left unsaid. */
export const mayHold = (rule: Rule, record: Row, context: RuleContext): boolean =>
  fieldsOfRule(rule).some((path) => valueAt(record, topOf(path)) === undefined) || holds(rule, record, context)
