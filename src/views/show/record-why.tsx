import '#schema/later/list-facts.ts'
import { useConsole, useResourcePermissions, useRuleContext, useSay } from '#fields/definitions.tsx'
import { FieldDisplay } from '#fields/field-display.tsx'
import type { Row } from '#fields/field-kind.ts'
import { fieldText } from '#fields/field-text.ts'
import { formatRelative } from '#fields/time/time-format.ts'
import { useNow } from '#fields/time/use-now.ts'
import { fieldOf } from '#schema/definition.ts'
import type { Sentence } from '#schema/facts/why-facts.ts'
import { type Tone, tones } from '#schema/field-types.ts'
import { isEmpty } from '#schema/form/is-empty.ts'
import { filledText } from '#schema/format/filled-text.ts'
import type { AnyResource } from '#schema/resource.ts'
import { fieldsOfRule, holds, topOf, valueAt } from '#schema/rule.ts'
import { StatusDot } from '#ui/feedback/status-dot.tsx'
import { Link } from '#ui/layout/link.tsx'
import { recordPath } from '#views/shared/paths.ts'
import { lateWords } from './late-words.ts'

const ago = /\.ago$/

/** Texts of the fields that a sentence names; undefined for empty or hidden ones. */
function useFactsOf(resource: AnyResource, record: Row): (name: string) => string | undefined {
  const { language, zone } = useConsole()
  const { hidden } = useResourcePermissions(resource.name)
  const nowMs = useNow()
  return (name) => {
    const path = name.replace(ago, '')
    const field = fieldOf(resource, path)
    const value = valueAt(record, path)
    if (!field || hidden.includes(topOf(path))) return undefined
    if (typeof value === 'string' && ago.test(name)) return formatRelative(value, language, nowMs)
    return fieldText(field, value, { language, zone }) || undefined
  }
}

/** A fixed tone, or the tone of the status at the path. */
function toneAt(resource: AnyResource, record: Row, tone: string): Tone {
  const field = fieldOf(resource, tone)
  const state = field?.type === 'status' ? field.states[String(valueAt(record, tone))] : undefined
  return state?.tone ?? tones.find((one) => one === tone) ?? 'idle'
}

type WhyProps = { resource: AnyResource; record: Row; isPartial: boolean }

/** Explains the record's state: the first sentence of the definition whose rule holds. */
export function RecordWhy({ resource, record, isPartial }: WhyProps) {
  const sayLabel = useSay()
  const context = useRuleContext()
  const factOf = useFactsOf(resource, record)
  // A list row lacks fields: only the place is kept while an earlier sentence might still hold.
  const isOpen = ({ when }: Sentence) => isPartial && fieldsOfRule(when).some((path) => valueAt(record, path) === undefined)
  const sentence = resource.why?.find((one) => isOpen(one) || holds(one.when, record, context()))
  if (!sentence) return null
  if (isOpen(sentence)) return <p className="view-why">{'\u00a0'}</p>
  const begin = ({ since }: Sentence) => {
    const [state = '', time, ago] = since ? [since.state, since.at, `${since.at}.ago`].map(factOf) : []
    return time ? sayLabel(lateWords.since, { state, time, ago }) : state && `${state}: `
  }
  const { record: path = '' } = sentence
  const named = isEmpty(valueAt(record, path)) ? undefined : fieldOf(resource, path)
  const tab = sentence.tab === undefined ? undefined : resource.tabs?.[sentence.tab]
  return (
    <p className="view-why">
      <StatusDot tone={toneAt(resource, record, sentence.tone)}>
        {begin(sentence)}
        {sentence.since && '\n'}
        {filledText(sayLabel(sentence.text), factOf)} {named && <FieldDisplay field={named} path={path} row={record} />}{' '}
        {tab && (
          <Link className="ui-link" href={recordPath(resource, String(record.id), sentence.tab)}>
            {sayLabel(tab.label)}
          </Link>
        )}
      </StatusDot>
    </p>
  )
}
