import { benchConsole, benchFirstRow } from './console.ts'
import { benchExport } from './export.ts'
import { benchFleet } from './fleet.ts'
import { benchIngest } from './ingest.ts'
import { benchList } from './list.ts'
import { benchSoak } from './soak.ts'
import { benchYear } from './year.ts'

/** Benchmarks by name; without a name, all of these run. */
const benches: Readonly<Record<string, () => Promise<void>>> = {
  list: benchList,
  year: benchYear,
  export: benchExport,
  ingest: benchIngest,
  console: benchConsole,
  'first-row': benchFirstRow,
}

/** Ten minutes and an hour: these run by their names only. */
const longOnes: typeof benches = { fleet: benchFleet, soak: benchSoak }

const known = { ...benches, ...longOnes }
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !Object.hasOwn(known, name))
if (unknown.length > 0) throw new Error(`No bench ${unknown.join(', ')}; there are ${Object.keys(known).join(', ')}`)
for (const name of asked.length > 0 ? asked : Object.keys(benches)) await known[name]?.()
