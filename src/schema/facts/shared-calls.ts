import type { Action } from '#schema/resource.ts'
import { isTemplate } from '#schema/rule.ts'
import type { Template } from './action-facts.ts'

/** Constants of an action's body; they distinguish actions with the same call. */
export const constantsOf = ({ body }: Action): Readonly<Record<string, Template>> =>
  Object.fromEntries(Object.entries(body ?? {}).filter(([, value]) => !isTemplate(value)))

/** True where a body of the first action never fits the other: another constant, or nothing at what its form requires. */
const excludes = (one: Action, other: Action): boolean => {
  const its = constantsOf(other)
  return Object.entries(constantsOf(one)).some(([name, value]) =>
    its[name] === undefined ? value === null && other.form?.[name]?.required === true : its[name] !== value,
  )
}

/** True where a request tells by its body which of two actions of one call it asks for. */
export const areToldApart = (one: Action, other: Action): boolean => excludes(one, other) || excludes(other, one)
