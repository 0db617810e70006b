import { factNames } from '#schema/check/shape/shape.ts'
import { isObject } from '#schema/is-object.ts'
import type { Action, AnyResource } from '#schema/resource.ts'
import { allPaths } from './check-rules.ts'
import { checkLabel, type Report, unknownKeys } from './report/report.ts'

const revealKeys = factNames('Reveal')
const guardKeys = factNames('Guard')

export function checkGuard(report: Report, resource: AnyResource, path: string, { guard, form = {}, from }: Action): void {
  if (guard === undefined) return
  if (!isObject(guard)) return report('wrong-type', path, `a guard is { ${guardKeys.join(', ')} }`)
  unknownKeys(report, 'unknown-key', path, guard, guardKeys, 'a guard')
  checkLabel(report, `${path}.ask`, guard.ask)
  for (const [name, label] of Object.entries(isObject(guard.refusals) ? guard.refusals : {}))
    checkLabel(report, `${path}.refusals.${name}`, label)
  const known = (key: 'group' | 'confirm' | 'equals', names: readonly string[]) => {
    const word = String(guard[key])
    if (!names.includes(word)) report('unknown-field', `${path}.${key}`, `there is no field "${word}"`, { word, among: names })
  }
  known(
    'group',
    Object.keys(form).filter((name) => form[name]?.type === 'group'),
  )
  known('confirm', Object.keys(form))
  known('equals', allPaths(resource))
  if (from === undefined)
    report('guard-without-from', path, 'the guarded values are read from the answer of `from`, and the action has none; add it')
}

export function checkReveals(report: Report, path: string, { reveals, form, confirm, on }: Action): void {
  if (reveals === undefined) return
  if (!isObject(reveals) || typeof reveals.value !== 'string')
    return report('wrong-type', path, `what is revealed is { ${revealKeys.join(', ')} }`)
  unknownKeys(report, 'unknown-key', path, reveals, revealKeys, 'what is revealed')
  checkLabel(report, `${path}.label`, reveals.label)
  checkLabel(report, `${path}.text`, reveals.text)
  if (reveals.command !== undefined && !String(reveals.command).includes('{secret}'))
    report('wrong-type', `${path}.command`, 'the command has no {secret}')
  if (on === 'bulk' || (!form && !confirm))
    report(
      'reveal-without-dialog',
      path,
      'a secret is shown by a dialog, or saved for many records: say `confirm` or `form`, and not `on: bulk`',
    )
}
