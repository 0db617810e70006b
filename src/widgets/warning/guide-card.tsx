import { useConsole, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { isWarningCode } from '#resources/fleet/warnings/warning-codes.ts'
import type { WarningGuide } from '#resources/fleet/warnings/warning-guide.ts'
import { warningGuides } from '#resources/fleet/warnings/warning-guides.ts'
import { filledText } from '#schema/format/filled-text.ts'
import type { Label } from '#schema/words.ts'
import { Tag } from '#ui/feedback/tag.tsx'
import { Card } from '#ui/layout/card.tsx'
import type { LastTelemetry } from '#widgets/energy/last-telemetry.ts'
import { useGuideFacts } from './use-guide-facts.ts'
import { warningWords } from './warning-words.ts'

const parts = ['causes', 'checks', 'actions'] as const

export type GuideCardProps = { record: Row; last: LastTelemetry | null | undefined }

/** Guide of a warning with current values filled in; an unknown code shows its raw data. */
export function GuideCard({ record, last }: GuideCardProps) {
  const sayLabel = useSay()
  const { code } = record
  if (!isWarningCode(code)) return <UnknownCode record={record} />
  const guide: WarningGuide = warningGuides[code]
  return (
    <Card title={sayLabel(warningWords.guide)} actions={<Tag>{code}</Tag>}>
      <div className="warning-guide">
        <p>{sayLabel(guide.meaning)}</p>
        <div className="warning-guide-parts">
          {parts.map((part) => (
            <GuidePart key={part} title={warningWords[part]} lines={guide[part]} {...{ record, last }} />
          ))}
        </div>
      </div>
    </Card>
  )
}

function GuidePart({ title, lines, record, last }: GuideCardProps & { title: Label; lines: readonly Label[] }) {
  const sayLabel = useSay()
  const factOf = useGuideFacts(record, last)
  return (
    <section>
      <h3>{sayLabel(title)}</h3>
      <ul>
        {lines.map((line) => (
          <li key={line[0]}>{filledText(sayLabel(line), factOf)}</li>
        ))}
      </ul>
    </section>
  )
}

const raw = ['code', 'severity', 'source', 'subject', 'value', 'threshold', 'unit']

function UnknownCode({ record }: { record: Row }) {
  const sayLabel = useSay()
  const { language } = useConsole()
  const code = String(record.code ?? '?')
  const said = Object.fromEntries(raw.flatMap((name) => (record[name] == null ? [] : [[name, record[name]]])))
  return (
    <Card title={sayLabel(warningWords.unknownTitle, { code })}>
      <div className="warning-guide" lang={language}>
        <p>{sayLabel(warningWords.unknown)}</p>
        <pre className="field-pre">{JSON.stringify(said, null, 2)}</pre>
      </div>
    </Card>
  )
}
