import { benchConsole, benchFirstRow } from './console.ts'
import { benchExport } from './export.ts'
import { benchIngest } from './ingest.ts'
import { benchList } from './list.ts'
import { benchYear } from './year.ts'

/** Benchmarks by name; without a name, all run. */
const benches: Readonly<Record<string, () => Promise<void>>> = {
  list: benchList,
  year: benchYear,
  export: benchExport,
  ingest: benchIngest,
  console: benchConsole,
  'first-row': benchFirstRow,
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !Object.hasOwn(benches, name))
if (unknown.length > 0) throw new Error(`No bench ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}`)
for (const [name, bench] of Object.entries(benches)) if (asked.length === 0 || asked.includes(name)) await bench()
