import type { DefinitionFault, Report } from '#schema/check/report/report.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type Deviation, deviations } from './shape.ts'

/** True when one path is the other or lies below it: both faults are about the same words. */
const isAbout = (one: string, other: string): boolean => {
  const [short = '', long = ''] = one.length < other.length ? [one, other] : [other, one]
  return long.startsWith(short) && ['', '.', '['].includes(long.charAt(short.length))
}

/** Deviations of definitions from the types of the language. */
export const shapeDeviations = (all: ReadonlyMap<string, AnyResource>): Deviation[] =>
  [...all].flatMap(([name, resource]) => deviations(name, resource, { of: 'Resource' }))

/** Reports deviations. A check that knows more about a place says it better, so one beside its fault is left out. */
export function reportDeviations(report: Report, found: readonly Deviation[], said: readonly DefinitionFault[]): void {
  for (const { code, path, message, near } of found)
    if (!said.some((fault) => isAbout(fault.path, path))) report(code, path, message, near)
}
