import safeRegex from 'safe-regex2'
import { resources } from '#resources/index.ts'
import { checkHints, checkResources, faultLine, faultReport } from '#schema/check-resources.ts'
import { iconNames } from '#schema/icon-names.ts'
import { widgetNames } from '#schema/widget-names.ts'
import { rulesByResource } from '#server/app/rules.ts'

const handlers = Object.fromEntries(
  Object.entries(rulesByResource).map(([name, { actions = {} }]) => [name, Object.keys(actions)]),
)
const faults = checkResources(resources, {
  widgets: widgetNames,
  icons: iconNames,
  handlers,
  isSafePattern: (pattern) => safeRegex(pattern),
})
if (faults.length > 0) {
  console.error(faultReport(faults))
  process.exit(1)
}
for (const hint of checkHints(resources)) console.log(`Hint: ${faultLine(hint)}`)
console.log(`${resources.length} definitions, no fault`)
