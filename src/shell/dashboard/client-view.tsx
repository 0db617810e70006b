import { useDefinition, useSay } from '#fields/definitions.tsx'
import { FieldDisplay } from '#fields/field-display.tsx'
import { allFields } from '#schema/definition.ts'
import type { SummarySite } from '#schema/summary.ts'
import { Card } from '#ui/card.tsx'
import { DescriptionList } from '#ui/description-list.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Tag } from '#ui/tag.tsx'
import { dashboardWords } from './dashboard-words.ts'

const facts = ['connection', 'health', 'lifecycle', 'ratedEnergyWh', 'ratedDischargePowerW', 'warrantyUntil'] as const

function SiteCard({ site }: { site: SummarySite }) {
  const sayLabel = useSay()
  const ess = useDefinition('ess')
  const fields = allFields(ess)
  const items = facts.flatMap((path) => {
    const field = fields[path]
    return field
      ? [{ key: path, label: sayLabel(field.label), value: <FieldDisplay field={field} path={path} row={site} /> }]
      : []
  })
  const { maintenance } = ess.fields
  const until = maintenance?.type === 'group' ? maintenance.fields.until : undefined
  const overlay =
    maintenance && until && site.maintenanceUntil
      ? [
          {
            key: 'maintenance',
            label: `${sayLabel(maintenance.label)}, ${sayLabel(until.label).toLowerCase()}`,
            value: <FieldDisplay field={until} path="maintenanceUntil" row={site} />,
          },
        ]
      : []
  return (
    <Card
      title={site.name}
      actions={<Tag tone={site.relation === 'owner' ? 'good' : 'info'}>{sayLabel(dashboardWords[site.relation])}</Tag>}
      footer={<span className="dash-note">{site.code}</span>}
    >
      <DescriptionList items={[...items, ...overlay]} />
    </Card>
  )
}

/** The systems of a client, in his own words: how each is doing. */
export function ClientView({ sites }: { sites: readonly SummarySite[] }) {
  const sayLabel = useSay()
  if (sites.length === 0)
    return (
      <EmptyState icon="battery" title={sayLabel(dashboardWords.noSitesTitle)} text={sayLabel(dashboardWords.noSitesText)} />
    )
  return (
    <div className="dash-cards">
      {sites.map((site) => (
        <SiteCard key={site.id} site={site} />
      ))}
    </div>
  )
}
