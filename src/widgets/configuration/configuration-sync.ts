import type { Row } from '#fields/field-kind.ts'
import { serverSettings } from '#resources/fleet/server-settings.ts'
import type { Fields } from '#schema/field-types.ts'
import { isObject } from '#schema/is-object.ts'
import { isSame } from '#views/form/form-values.ts'

export const syncStates = ['IN_SYNC', 'PENDING', 'REJECTED', 'DRIFTED'] as const
export type SyncState = (typeof syncStates)[number]

/** One desired version of a configuration; a row, so that fields can render it. */
export type Version = Row & { version: number; outcome: string; rejectReason: string | null; desired: Row }

/** Desired and reported configuration of a board. */
export type ConfigurationSync = {
  state: SyncState
  desired: Row
  desiredVersion: number
  reported: Row | null
  reportedVersion: number | null
  rejectReason: string | null
  pendingSince: string | null
  drift: readonly string[]
  defaults: Row
  mayEdit: boolean
  danger: { fields: readonly string[]; refusal: string | null }
  history: readonly Version[]
  /** The raw answer, for action templates. */
  answer: Row
}

const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const numberOr = (value: unknown): number | null => (typeof value === 'number' ? value : null)
const rowsOf = (value: unknown): Row[] => (Array.isArray(value) ? value.filter(isObject) : [])
const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

const versionOf = (row: Row): Version => ({
  ...row,
  version: Number(row.version),
  outcome: String(row.outcome),
  rejectReason: textOr(row.rejectReason),
  desired: isObject(row.desired) ? row.desired : {},
})

/** Undefined for a malformed answer. */
export function readConfigurationSync(data: unknown): ConfigurationSync | undefined {
  if (!isObject(data) || !isObject(data.desired)) return undefined
  const state = syncStates.find((each) => each === data.state)
  const danger = isObject(data.danger) ? data.danger : {}
  if (!state) return undefined
  return {
    state,
    desired: data.desired,
    desiredVersion: Number(data.desiredVersion),
    reported: isObject(data.reported) ? data.reported : null,
    reportedVersion: numberOr(data.reportedVersion),
    rejectReason: textOr(data.rejectReason),
    pendingSince: textOr(data.pendingSince),
    drift: textsOf(data.drift),
    defaults: isObject(data.defaults) ? data.defaults : {},
    mayEdit: !isObject(data.access) || textOr(data.access.edit) === null,
    danger: { fields: textsOf(danger.fields), refusal: textOr(danger.refusal) },
    history: rowsOf(data.history).map(versionOf),
    answer: data,
  }
}

/** Settings of the server are never sent to the board. */
export const isServerSetting = (name: string): boolean => serverSettings.some((own) => own === name)

/** Names of differing fields. */
export const differing = (fields: Fields, before: Row, after: Row): string[] =>
  Object.keys(fields).filter((name) => !isSame(before[name], after[name]))

/**
 * A complete current configuration from older values: required settings missing in it keep their present value. So do settings
 * that the board does not report, because it does not have them, or the server itself applies them.
 */
export function asDesired(fields: Fields, values: Row, present: Row, isReported: boolean): Row {
  const pick = (name: string) => {
    if (isReported && (isServerSetting(name) || !Object.hasOwn(values, name))) return present[name] ?? null
    return values[name] ?? (fields[name]?.required ? present[name] : null) ?? null
  }
  return Object.fromEntries(Object.keys(fields).map((name) => [name, pick(name)]))
}
