import { useConsole, useMay, useSay } from '#fields/definitions.tsx'
import { FieldDisplay } from '#fields/field-display.tsx'
import type { Row } from '#fields/field-kind.ts'
import { referenceTitle } from '#fields/reference/reference-summary.ts'
import type { AnyResource } from '#schema/resource.ts'
import { Card } from '#ui/layout/card.tsx'
import { DescriptionList } from '#ui/layout/description-list.tsx'
import { Link } from '#ui/layout/link.tsx'
import { recordPath } from '#views/shared/paths.ts'
import type { WidgetProps } from '#views/shared/view-context.tsx'
import { useFacts } from '#widgets/use-facts.tsx'
import { caseWords } from './case-words.ts'
import { usePollOpenCase } from './use-poll-open-case.ts'
import { ZipButton } from './zip-button.tsx'
import './case.css'

const counted = ['packages', 'samples', 'configurations', 'updates', 'comments'].map((name) => `counts.${name}`)
const about = ['essId', 'controlPcbId', 'createdAt', 'createdBy']

/** A case file: time span, contents, and links. */
export function CaseRecord(props: WidgetProps) {
  const sayLabel = useSay()
  const facts = useFacts(props)
  usePollOpenCase(props)
  const { record } = props
  return (
    <div className="case">
      <Card title={sayLabel(caseWords.holds)} actions={<ZipButton id={String(record.id)} />} footer={<Ways {...props} />}>
        <Sentence record={record} />
        <DescriptionList items={facts(['startsAt', 'endsAt', 'state'])} />
        <div className="case-counts">
          <DescriptionList compact items={facts(counted)} />
        </div>
      </Card>
      <Card title={sayLabel(caseWords.about)}>
        <DescriptionList items={[...warningFact(props, sayLabel), ...facts([...about, ...(record.note ? ['note'] : [])])]} />
      </Card>
    </div>
  )
}

/** The warning's title: a reference would only show its code. */
function warningFact({ resource, record }: WidgetProps, sayLabel: ReturnType<typeof useSay>) {
  const { warningCode } = resource.fields
  return warningCode
    ? [{ key: 'warning', label: sayLabel(warningCode.label), value: <WarningLink field={warningCode} record={record} /> }]
    : []
}

function WarningLink({ field, record }: { field: AnyResource['fields'][string]; record: Row }) {
  const { definitions } = useConsole()
  const may = useMay()
  const warnings = definitions.get('telemetry-warning')
  const text = <FieldDisplay field={field} path="warningCode" row={record} place="link" />
  if (!warnings || !may(warnings.name, 'show')) return text
  return (
    <Link className="ui-link" href={recordPath(warnings, String(record.warningId))}>
      {text}
    </Link>
  )
}

/** Time span, and whether it still grows. */
function Sentence({ record }: { record: Row }) {
  const sayLabel = useSay()
  const { definitions } = useConsole()
  const board = referenceTitle(definitions.get('control-pcb'), record, 'controlPcbId', record.controlPcbId)
  const words = record.state === 'OPEN' ? caseWords.open : caseWords.whole
  return (
    <p className="case-sentence">
      {sayLabel(caseWords.span)} {sayLabel(words, { board })}
    </p>
  )
}

/** Links to the board's chart of that time and to the packets. */
function Ways({ resource, record }: WidgetProps) {
  const sayLabel = useSay()
  const { definitions } = useConsole()
  const boards = definitions.get('control-pcb')
  const time = (value: unknown) => String(value).replace(/\.\d+Z$/, 'Z')
  const query = new URLSearchParams({ from: time(record.startsAt), to: time(record.endsAt) })
  return (
    <span className="case-ways">
      {boards && (
        <Link className="ui-link" href={`${recordPath(boards, String(record.controlPcbId), 'telemetry')}?${query}`}>
          {sayLabel(caseWords.chart)}
        </Link>
      )}
      <Link className="ui-link" href={recordPath(resource, String(record.id), 'package')}>
        {sayLabel(caseWords.packages)}
      </Link>
    </span>
  )
}
