import type { ComponentProps, ReactNode } from 'react'
import { useSay } from '#fields/definitions.tsx'
import { FieldDisplay } from '#fields/field-display.tsx'
import type { Field, Fields } from '#schema/field-types.ts'
import { reasonLabel } from '#schema/journal/journal-words.ts'
import { Tag } from '#ui/feedback/tag.tsx'
import { Button } from '#ui/input/button.tsx'
import { Card } from '#ui/layout/card.tsx'
import { type ConfigurationSync, differing, type Version } from './configuration-sync.ts'
import { configurationWords } from './configuration-words.ts'
import { ValueChanges } from './value-changes.tsx'

const outcome: Field = {
  type: 'status',
  label: ['Outcome', 'Итог'],
  states: {
    APPLIED: { tone: 'good', label: ['Applied', 'Применена'] },
    REJECTED: { tone: 'bad', label: ['Rejected', 'Отклонена'] },
    PENDING: { tone: 'info', label: ['Pending', 'Ожидает применения'] },
    REPLACED: { tone: 'idle', label: ['Replaced before it was applied', 'Заменена до применения'] },
  },
}
const outcomeAt: Field = { type: 'dateTime', label: configurationWords.appliedAt }
const requestedAt: Field = { type: 'dateTime', label: configurationWords.askedAt }
const requestedBy: Field = { type: 'reference', label: configurationWords.askedBy, to: 'user' }

export type HistoryCardProps = {
  sync: ConfigurationSync
  fields: Fields
  isBusy: boolean
  /** Absent when the viewer may not edit. */
  onRestore?: ((version: Version) => void) | undefined
  onMore: () => void
}

/** Version history, newest first: author, reason, changes and outcome. */
export function HistoryCard({ sync, fields, isBusy, onRestore, onMore }: HistoryCardProps) {
  const sayLabel = useSay()
  const { history } = sync
  const hasMore = (history.at(-1)?.version ?? 1) > 1
  const more = hasMore && (
    <Button size="small" busy={isBusy} onClick={onMore}>
      {sayLabel(configurationWords.older)}
    </Button>
  )
  return (
    <Card flush title={sayLabel(configurationWords.history)} footer={more}>
      <ol className="configuration-history" reversed>
        {history.map((version, index) => (
          <li key={version.version}>
            <VersionEntry {...{ version, sync, fields, onRestore }} before={history[index + 1]} />
          </li>
        ))}
      </ol>
    </Card>
  )
}

type VersionEntryProps = Pick<HistoryCardProps, 'sync' | 'fields' | 'onRestore'> & {
  version: Version
  before: Version | undefined
}

function VersionEntry({ version, before, sync, fields, onRestore }: VersionEntryProps) {
  const sayLabel = useSay()
  const { desired, desiredVersion, danger } = sync
  const isPresent = version.version === desiredVersion
  const ahead = differing(fields, desired, version.desired)
  const changed = before ? differing(fields, before.desired, version.desired) : []
  return (
    <article aria-labelledby={`configuration-version-${version.version}`}>
      <VersionHead version={version} isPresent={isPresent}>
        {!isPresent && ahead.length > 0 && onRestore && (
          <Button size="small" icon="undo" onClick={() => onRestore(version)}>
            {sayLabel(configurationWords.restore)}
          </Button>
        )}
      </VersionHead>
      {before ? (
        <Changes
          title={`${sayLabel(configurationWords.against, { version: before.version })}: ${changed.length}`}
          {...{ fields, dangers: danger.fields, names: changed, before: before.desired, after: version.desired }}
          isOpen={isPresent}
        />
      ) : (
        version.version === 1 && <p className="configuration-faint">{sayLabel(configurationWords.first)}</p>
      )}
      {!isPresent && (
        <Changes
          title={sayLabel(configurationWords.againstPresent, { count: ahead.length })}
          {...{ fields, dangers: danger.fields, names: ahead, before: desired, after: version.desired }}
        />
      )}
    </article>
  )
}

function VersionHead({ version, isPresent, children }: { version: Version; isPresent: boolean; children: ReactNode }) {
  const sayLabel = useSay()
  return (
    <header className="configuration-version">
      <h3 id={`configuration-version-${version.version}`}>
        {sayLabel(configurationWords.version, { version: version.version })}
      </h3>
      <span className="configuration-outcome">
        <FieldDisplay field={outcome} path="outcome" row={version} />
        {typeof version.outcomeAt === 'string' && <FieldDisplay field={outcomeAt} path="outcomeAt" row={version} />}
      </span>
      {isPresent && <Tag tone="info">{sayLabel(configurationWords.present)}</Tag>}
      <span className="configuration-who">
        {sayLabel(configurationWords.asked)}
        <FieldDisplay field={requestedAt} path="requestedAt" row={version} />
        {typeof version.requestedBy === 'string' && <FieldDisplay field={requestedBy} path="requestedBy" row={version} />}
      </span>
      {children}
      {typeof version.reason === 'string' && <p>{sayLabel(reasonLabel(version.reason))}</p>}
      {version.rejectReason && <p className="configuration-refused">“{version.rejectReason}”</p>}
    </header>
  )
}

type ChangesProps = Omit<ComponentProps<typeof ValueChanges>, 'caption'> & { title: string; isOpen?: boolean }

function Changes({ title, isOpen, ...changes }: ChangesProps) {
  const sayLabel = useSay()
  if (changes.names.length === 0)
    return (
      <p className="configuration-faint">
        {title}. {sayLabel(configurationWords.same)}
      </p>
    )
  return (
    <details open={isOpen}>
      <summary>{title}</summary>
      <ValueChanges {...changes} caption={title} />
    </details>
  )
}
