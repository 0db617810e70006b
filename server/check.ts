import type { resources as Resources } from '#resources/index.ts'
import { checkHints } from '#schema/check/hints/check-hints.ts'
import { checkResources, faultLine, faultReport } from '#schema/check-resources.ts'
import { iconNames } from '#schema/icon-names.ts'
import { widgetNames } from '#schema/widget-names.ts'
import type { rulesByResource as Rules } from '#server/app/rules.ts'
import { definitionFiles, unlistedHints } from './dev/definition-files.ts'
import { loadFault } from './dev/load-fault.ts'
import { slowPattern, unjudgedPatterns } from './dev/slow-pattern.ts'

type Loaded = {
  serverTables: readonly string[]
  goneResources: readonly string[]
  resources: typeof Resources
  rulesByResource: typeof Rules
}

/** Imported here, so that a file that cannot be read is a fault of a definition like any other. */
async function load(): Promise<Loaded> {
  try {
    const { goneResources, resources } = await import('#resources/index.ts')
    const { rulesByResource } = await import('#server/app/rules.ts')
    const { serverTables } = await import('#server/app/server-tables.ts')
    return { goneResources, resources, rulesByResource, serverTables }
  } catch (error) {
    console.error(`1 fault in the definitions\n${loadFault(error, process.cwd())}`)
    process.exit(1)
  }
}

const { goneResources, resources, rulesByResource, serverTables } = await load()

const handlers = Object.fromEntries(
  Object.entries(rulesByResource).map(([name, { actions = {} }]) => [name, Object.keys(actions)]),
)
const outlooks = Object.entries(rulesByResource).flatMap(([name, { outlook }]) => (outlook ? [name] : []))
const routed = Object.entries(rulesByResource).flatMap(([name, { routes }]) => (routes ? [name] : []))
const computed = Object.fromEntries(
  Object.entries(rulesByResource).map(([name, { derived = {}, forCaller }]) => [
    name,
    Object.keys({ ...derived, ...forCaller?.(undefined) }),
  ]),
)
const waiting = new Set<string>()
const faults = checkResources(resources, {
  widgets: widgetNames,
  icons: iconNames,
  handlers,
  outlooks,
  goneResources,
  serverTables,
  routed,
  computed,
  slowPattern: (source, longest) => slowPattern(source, longest),
  waits: (name) => waiting.add(name),
})
const files = definitionFiles(process.cwd())
if (faults.length > 0) {
  console.error(faultReport(faults, files))
  if (waiting.size > 0)
    console.error(`More may be found in ${[...waiting].join(', ')}: some checks wait until the faults there are mended`)
  process.exit(1)
}
const names = resources.map(({ name }) => name)
for (const hint of [...checkHints(resources, { handlers }), ...unlistedHints(files, names)])
  console.log(`Hint: ${faultLine(hint, files)}`)
for (const source of unjudgedPatterns())
  console.log(
    `Hint: there was no time to judge the pattern ${source}; run this again when the machine is idle, or write it shorter`,
  )
console.log(`${resources.length} definitions, no fault`)
