import { Banner } from '#ui/feedback/banner.tsx'
import { StatusDot } from '#ui/feedback/status-dot.tsx'
import { Tag } from '#ui/feedback/tag.tsx'
import { Button } from '#ui/input/button.tsx'
import { IconButton } from '#ui/input/icon-button.tsx'
import { Breadcrumbs } from '#ui/layout/breadcrumbs.tsx'
import { Card } from '#ui/layout/card.tsx'
import { CodeText } from '#ui/layout/code-text.tsx'
import { DescriptionList } from '#ui/layout/description-list.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { TabNav } from '#ui/layout/tab-nav.tsx'
import { Menu } from '#ui/overlay/menu.tsx'

const facts = [
  { key: 'code', label: 'Code', value: <CodeText text="ESS-10420" /> },
  { key: 'owner', label: 'Owner', value: <a href="#/form">Nordlicht Energie GmbH</a> },
  { key: 'state', label: 'Connection', value: <StatusDot tone="good">Online</StatusDot> },
  { key: 'soc', label: 'Charge', value: '74 %' },
  { key: 'power', label: 'Power', value: '−3,420 W' },
  { key: 'energy', label: 'Rated energy', value: '20.48 kWh' },
  { key: 'seen', label: 'Last seen', value: '31 May 2026, 14:05' },
  { key: 'site', label: 'Time zone', value: 'Europe/Berlin' },
  {
    key: 'key',
    label: 'Key fingerprint',
    value: <CodeText text="9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" />,
    wide: true,
  },
  {
    key: 'note',
    label: 'Note',
    value: 'Second rack from the door. The breaker is labelled B12; ask the porter for the key.',
    wide: true,
  },
]

export function RecordPage() {
  return (
    <>
      <PageHeader
        breadcrumbs={<Breadcrumbs label="Path" items={[{ label: 'Energy storage', href: '#/list' }, { label: 'ESS-10420' }]} />}
        title="ESS-10420"
        subtitle="Nordlicht Energie GmbH · Hamburg, Speicherstraße 4"
        status={<Tag tone="good">In service</Tag>}
        back={{ href: '#/list', label: 'Back to the list' }}
        actions={
          <>
            <Button icon="edit" href="#/form">
              Edit
            </Button>
            <Button icon="refresh">Restart</Button>
            <Menu
              label="More"
              kind="default"
              items={[
                { key: 'owner', label: 'Change owner', icon: 'client' },
                { key: 'delete', label: 'Delete', icon: 'trash', danger: true },
              ]}
            />
          </>
        }
      />
      <TabNav
        label="Parts of the record"
        current="general"
        items={[
          { key: 'general', label: 'General', href: '#/record/general', icon: 'info' },
          { key: 'boards', label: 'Control boards', href: '#/record/boards', count: 2 },
          { key: 'battery', label: 'Battery packs', href: '#/record/battery', count: 14 },
          { key: 'guests', label: 'Guests', href: '#/record/guests' },
          { key: 'telemetry', label: 'Telemetry', href: '#/record/telemetry' },
          { key: 'updates', label: 'Updates', href: '#/record/updates' },
          { key: 'log', label: 'History', href: '#/record/log' },
        ]}
      />
      <div style={{ display: 'grid', gap: 16 }}>
        <Banner tone="warn" action={<Button size="small">Show</Button>} onDismiss={() => undefined}>
          The record has been changed by another person while you were reading.
        </Banner>
        <Card title="General" actions={<IconButton icon="edit" size="small" label="Edit general" />}>
          <DescriptionList items={facts} />
        </Card>
        <Card title="Loading">
          <DescriptionList items={facts.slice(0, 4)} loading />
        </Card>
      </div>
    </>
  )
}
