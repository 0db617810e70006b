import { useConsole, useSay } from '#fields/definitions.tsx'
import { FieldDisplay } from '#fields/field-display.tsx'
import type { Row } from '#fields/field-kind.ts'
import { fieldText } from '#fields/field-text.ts'
import { clampedNow, useNow } from '#fields/time/use-now.ts'
import { fieldOf } from '#schema/definition.ts'
import type { Field, Fields, Tone } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'
import type { Label } from '#schema/words.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { Button } from '#ui/input/button.tsx'
import { Card } from '#ui/layout/card.tsx'
import { DescriptionList } from '#ui/layout/description-list.tsx'
import type { ConfigurationSync, SyncState } from './configuration-sync.ts'
import { configurationWords } from './configuration-words.ts'
import type { Proposal } from './proposal.ts'

const facts = {
  desiredVersion: { type: 'integer', label: configurationWords.desiredVersion },
  reportedVersion: { type: 'integer', label: configurationWords.reportedVersion },
  requestedAt: { type: 'dateTime', label: configurationWords.askedAt },
  requestedBy: { type: 'reference', label: configurationWords.askedBy, to: 'user' },
  appliedAt: { type: 'dateTime', label: configurationWords.appliedAt },
} as const satisfies Fields

const tones: Readonly<Record<SyncState, Tone>> = { IN_SYNC: 'good', PENDING: 'info', REJECTED: 'bad', DRIFTED: 'warn' }
const duration: Field = { type: 'duration', label: configurationWords.askedAt }
const outOfTouch = new Set(['OFFLINE', 'NEVER', 'STALE'])

export type StateCardProps = {
  resource: AnyResource
  record: Row
  sync: ConfigurationSync
  fields: Fields
  /** Actions available in this state. */
  proposals: readonly Proposal[]
  onPropose: (proposal: Proposal) => void
}

/** Configuration state of the board, its age, and the remedies. */
export function StateCard({ resource, record, sync, fields, proposals, onPropose }: StateCardProps) {
  const sayLabel = useSay()
  const state = fieldOf(resource, 'config.state')
  const status = state && <FieldDisplay field={state} path="config.state" row={record} value={sync.state} />
  const items = Object.entries(facts).map(([key, field]) => ({
    key,
    label: sayLabel(field.label),
    value: <FieldDisplay field={field} path={key} row={sync.answer} />,
  }))
  const buttons = proposals.map((proposal) => (
    <Button key={proposal.key} onClick={() => onPropose(proposal)}>
      {sayLabel(proposal.label)}
    </Button>
  ))
  return (
    <Card title={sayLabel(configurationWords.state)} actions={status}>
      <div className="configuration-state">
        <Banner tone={tones[sync.state]}>
          <StateText {...{ record, sync, fields }} />
        </Banner>
        {buttons.length > 0 && <div className="ui-actions">{buttons}</div>}
        <DescriptionList items={items} />
      </div>
    </Card>
  )
}

function StateText({ record, sync, fields }: Pick<StateCardProps, 'record' | 'sync' | 'fields'>) {
  const sayLabel = useSay()
  const { language, zone } = useConsole()
  const now = useNow()
  const { state, pendingSince, reportedVersion, desiredVersion, rejectReason, drift } = sync
  const sinceMs = pendingSince ? Date.parse(pendingSince) : now
  const ageS = Math.max(0, Math.floor((clampedNow(sinceMs, now) - sinceMs) / 1000))
  const labelOf = (name: string) => (fields[name] ? sayLabel(fields[name].label) : name)
  const values = {
    version: desiredVersion,
    age: fieldText(duration, ageS, { language, zone }),
    reason: rejectReason ?? sayLabel(configurationWords.noReason),
    fields: drift.map(labelOf).join(', '),
  }
  const isAway = state === 'PENDING' && outOfTouch.has(String(valueAt(record, 'connection.state')))
  const more: (readonly [Label, object] | false)[] = [
    isAway && [configurationWords.offline, {}],
    state === 'REJECTED' && reportedVersion !== null && [configurationWords.goesOn, { version: reportedVersion }],
  ]
  const sentences = more.flatMap((each) => (each ? [sayLabel(each[0], { ...each[1] })] : []))
  return <>{[sayLabel(configurationWords[state], values), ...sentences].join(' ')}</>
}
