import { editDistance } from '#schema/check/report/report.ts'
import { variables } from './config.ts'

const settings = Object.values(variables).map(({ name }): string => name)
const known = new Set(settings)

/** Shells, services and CI set many variables: a wider reach takes theirs for ours. */
const reachOf = (name: string) => Math.min(2, Math.max(1, Math.floor(name.length / 4)))

/** Variables of the environment that are no settings, but are spelt nearly like one. */
export function misspeltSettings(names: readonly string[]): { name: string; meant: string }[] {
  return names
    .filter((name) => !known.has(name))
    .flatMap((name) => {
      const distances = settings.map((meant) => ({ name, meant, distance: editDistance(name.toUpperCase(), meant) }))
      const [nearest] = distances.toSorted((a, b) => a.distance - b.distance)
      return nearest && nearest.distance <= reachOf(name) ? [{ name, meant: nearest.meant }] : []
    })
}
