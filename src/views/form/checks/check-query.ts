import type { Row } from '#fields/field-kind.ts'
import type { Checks } from '#schema/facts/action-facts.ts'
import { valueAt } from '#schema/rule.ts'

export type CheckLink = { resource: string; id: string; text: string }
export type Check = {
  code: string
  ok: boolean
  /** The condition of the check. */
  text: string
  /** The reason why the check is not passed. */
  obstacle?: string
  found: string
  overridable?: boolean
  links?: readonly CheckLink[]
}

const isCheck = (value: unknown): value is Check =>
  typeof valueAt(value, 'code') === 'string' && typeof valueAt(value, 'ok') === 'boolean'

export type Subject = { checks: Check[] }

/** Checks by subject, in request order. */
export const readSubjects = (data: unknown): Subject[] | undefined =>
  Array.isArray(data)
    ? data.map((subject: unknown) => {
        const checks = valueAt(subject, 'checks')
        return { checks: Array.isArray(checks) ? checks.filter(isCheck) : [] }
      })
    : undefined

/** Checks of all subjects. */
export const readChecks = (data: unknown): Check[] | undefined => readSubjects(data)?.flatMap(({ checks }) => checks)

/** The query with its templates filled in; undefined while a value is missing. */
export function queryOf(
  { query }: Checks,
  sources: Readonly<Record<'form' | 'record', Row>>,
): Record<string, string> | undefined {
  const filled = Object.entries(query).map(([name, value]): [string, unknown] => {
    const [, source, path] = /^\$(form|record)\.(.+)$/.exec(String(value)) ?? []
    return [name, path === undefined ? value : valueAt(sources[source === 'form' ? 'form' : 'record'], path)]
  })
  const isWhole = filled.every(([, value]) => value !== undefined && value !== null && value !== '')
  return isWhole ? Object.fromEntries(filled.map(([name, value]) => [name, String(value)])) : undefined
}
