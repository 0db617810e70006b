import '#schema/later/action-forms.ts'
import type { Row } from '#fields/field-kind.ts'
import { type Definitions, summaryKey } from '#schema/definition.ts'
import { givenBy, linkOf, newRowValues } from '#schema/form/tab-links.ts'
import type { RuleContext } from '#schema/rule.ts'
import type { Values } from './form-values.ts'
import type { RecordTab } from './tab-address.ts'

/** Initial values of a new record created from a tab, or from selected rows. */
export type FormStart = {
  /** Fixed values, shown read-only. */
  given: Values
  /** Editable initial values of fields without a value. */
  filled: Values
  /** Summaries of the records that `given` references. */
  shown: Row
  /** Distinguishes its draft from that of a form opened elsewhere. */
  key: string
  /** Address after saving, with the new record in view; default: the record. */
  back?: string
}

const own = '$record.'

/** Reference summaries taken from the tab's record. */
function summariesIn(definitions: Definitions, place: RecordTab, record: Row): Row {
  const fields = definitions.get(place.tab.resource)?.fields ?? {}
  const found = Object.entries(givenBy(definitions, place, record)).map(([name, template]) => {
    const path = template.startsWith(own) ? template.slice(own.length) : ''
    const summary = path === 'id' ? record : record[summaryKey(path)]
    return [summaryKey(name), fields[name]?.type === 'references' ? [summary] : summary]
  })
  return Object.fromEntries(found)
}

/** Initial values of a new row of a tab; undefined where no row can belong to the record. */
export function formStart(
  definitions: Definitions,
  { place, record, back }: { place: RecordTab; record: Row; back: string },
  context: RuleContext,
): FormStart | undefined {
  const given = newRowValues(definitions, place, record, context)
  const link = linkOf(definitions, place)
  if (!given || !link) return undefined
  const fills = link.field.type === 'reference' ? (link.field.fills ?? []) : []
  return {
    given,
    filled: Object.fromEntries(fills.map((name) => [name, record[name] ?? null])),
    shown: summariesIn(definitions, place, record),
    key: [place.parent.name, place.id, place.name].join('/'),
    back,
  }
}
