import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** The value that this share of the others does not exceed. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

/** One of the server's own metrics, in its unit. */
export async function metricOf(url: string, token: string, name: string): Promise<number> {
  const answer = await fetch(`${url}/api/metrics`, { headers: { authorization: `Bearer ${token}` } })
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await answer.text())?.[1])
}

/** Runs every target once a round, round after round: what else the machine does meets all of them alike. */
export async function interleaved<T extends { name: string }, R>(
  targets: readonly T[],
  rounds: number,
  measure: (target: T) => Promise<R>,
): Promise<Map<string, R[]>> {
  const results = new Map<string, R[]>(targets.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const target of targets) results.get(target.name)?.push(await measure(target))
    process.stderr.write('.')
  }
  process.stderr.write('\n')
  return results
}

/** Prints a table, and keeps it as JSON in bench/results. */
export function report(name: string, rows: readonly Record<string, string | number>[]): void {
  const folder = join(import.meta.dirname, 'results')
  mkdirSync(folder, { recursive: true })
  const facts = { at: new Date().toISOString(), node: process.version, rows }
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(facts, null, 2)}\n`)
  console.log(`\n${name}`)
  console.table(rows)
}
