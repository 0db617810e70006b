import { resources } from '#resources/index.ts'
import { checkResources, faultReport } from '#schema/check-resources.ts'
import { widgetNames } from '#schema/widget-names.ts'

const faults = checkResources(resources, { widgets: widgetNames })
if (faults.length > 0) {
  console.error(faultReport(faults))
  process.exit(1)
}
console.log(`${resources.length} definitions, no fault`)
