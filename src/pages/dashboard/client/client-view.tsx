import { useDefinition, useSay } from '#fields/definitions.tsx'
import { FieldDisplay } from '#fields/field-display.tsx'
import { allFields } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import type { SummarySite } from '#schema/wire/summary.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Tag } from '#ui/feedback/tag.tsx'
import { Card } from '#ui/layout/card.tsx'
import { DescriptionList } from '#ui/layout/description-list.tsx'
import { DataTime } from '#widgets/energy/data-time.tsx'
import '#views/shared/sections.css'
import './client.css'
import { dashboardWords } from '#pages/dashboard/dashboard-words.ts'
import { SiteEnergy } from './site-energy.tsx'
import { SiteWarnings } from './site-warnings.tsx'

const states = ['connection', 'health'] as const
const facts = ['lifecycle', 'ratedEnergyWh', 'ratedDischargePowerW', 'warrantyUntil'] as const

type Fact = { key: string; label: string; field: Field }

/** Name of the system, and the end of its maintenance. */
function SiteFacts({ site }: { site: SummarySite }) {
  const sayLabel = useSay()
  const ess = useDefinition('ess')
  const fields = allFields(ess)
  const { maintenance } = ess.fields
  const until = maintenance?.type === 'group' ? maintenance.fields.until : undefined
  const own = facts.flatMap((key): Fact[] => {
    const field = fields[key]
    return field ? [{ key, label: sayLabel(field.label), field }] : []
  })
  const overlay: Fact[] =
    maintenance && until && site.maintenanceUntil
      ? [
          {
            key: 'maintenanceUntil',
            label: `${sayLabel(maintenance.label)}, ${sayLabel(until.label).toLowerCase()}`,
            field: until,
          },
        ]
      : []
  const items = [...own, ...overlay].map(({ key, label, field }) => ({
    key,
    label,
    value: <FieldDisplay field={field} path={key} row={site} />,
  }))
  return <DescriptionList items={items} />
}

function SiteCard({ site }: { site: SummarySite }) {
  const sayLabel = useSay()
  const fields = allFields(useDefinition('ess'))
  return (
    <Card
      title={site.name}
      actions={<Tag tone={site.relation === 'owner' ? 'good' : 'info'}>{sayLabel(dashboardWords[site.relation])}</Tag>}
      footer={<span className="dash-note">{site.code}</span>}
    >
      <div className="dash-site">
        <div className="dash-site-state">
          {states.map((path) => fields[path] && <FieldDisplay key={path} field={fields[path]} path={path} row={site} />)}
          {site.measuredAt !== null && <DataTime at={site.measuredAt} stale={site.stale} />}
        </div>
        <SiteWarnings warnings={site.warnings} />
        <SiteEnergy site={site} />
        <div className="view-sections">
          <SiteFacts site={site} />
        </div>
      </div>
    </Card>
  )
}

/** A client's systems in plain language. */
export function ClientView({ sites }: { sites: readonly SummarySite[] }) {
  const sayLabel = useSay()
  if (sites.length === 0)
    return (
      <EmptyState icon="battery" title={sayLabel(dashboardWords.noSitesTitle)} text={sayLabel(dashboardWords.noSitesText)} />
    )
  return (
    <div className="dash-sites">
      {sites.map((site) => (
        <SiteCard key={site.id} site={site} />
      ))}
    </div>
  )
}
