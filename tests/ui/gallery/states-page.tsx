import { Badge } from '#ui/feedback/badge.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { ErrorState } from '#ui/feedback/error-state.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Spinner } from '#ui/feedback/spinner.tsx'
import { StatusDot } from '#ui/feedback/status-dot.tsx'
import { Tag } from '#ui/feedback/tag.tsx'
import { DataGrid } from '#ui/grid/data-grid.tsx'
import type { GridColumn } from '#ui/grid/data-grid-types.ts'
import { Pagination } from '#ui/grid/pagination.tsx'
import { Icon } from '#ui/icon/icon.tsx'
import { type IconName, iconPaths } from '#ui/icon/icon-paths.ts'
import { Button } from '#ui/input/button.tsx'
import { Card } from '#ui/layout/card.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { tones } from '#ui/theme/tokens.ts'
import { type Sample, samples } from './sample-rows.ts'

const iconNames = Object.keys(iconPaths) as IconName[]
const kinds = ['default', 'primary', 'text', 'danger'] as const
const columns: GridColumn<Sample>[] = [
  { key: 'code', header: 'Code', sort: 'none', width: 120, cell: (row) => row.code },
  { key: 'owner', header: 'Owner', width: 200, cell: (row) => row.owner },
  { key: 'power', header: 'Power, W', align: 'end', sort: 'desc', width: 120, cell: (row) => row.powerW },
]
const rowKey = (row: Sample) => row.id
const grid = { columns, rowKey, onSort: () => undefined }

export function StatesPage() {
  return (
    <>
      <PageHeader title="All states" subtitle="Each component as it looks in each of its states" />
      <div style={{ display: 'grid', gap: 16 }}>
        <Card title="Buttons">
          <div className="ui-actions">
            {kinds.map((kind) => (
              <Button key={kind} kind={kind} icon="plus">
                {kind}
              </Button>
            ))}
            {kinds.map((kind) => (
              <Button key={kind} kind={kind} size="small" disabled>
                {kind}
              </Button>
            ))}
            <Button kind="primary" busy>
              Saving
            </Button>
            <Button busy icon="save">
              Saving
            </Button>
          </div>
        </Card>
        <Card title="Words with a tone">
          <div className="ui-actions">
            {tones.map((tone) => (
              <Tag key={tone} tone={tone} icon="info">
                {tone}
              </Tag>
            ))}
            <Tag onRemove={() => undefined}>State: Online</Tag>
            {tones.map((tone) => (
              <StatusDot key={tone} tone={tone} active={tone === 'info'}>
                {tone}
              </StatusDot>
            ))}
            <Badge count={7} />
            <Badge count={128} tone="bad" />
            <Spinner />
          </div>
        </Card>
        {tones.map((tone) => (
          <Banner key={tone} tone={tone} action={<Button size="small">Do it</Button>} onDismiss={() => undefined}>
            A banner with the tone “{tone}”
          </Banner>
        ))}
        <Card title="Icons">
          <div className="ui-actions" style={{ gap: 14 }}>
            {iconNames.map((name) => (
              <Icon key={name} name={name} sizePx={22} label={name} />
            ))}
          </div>
        </Card>
        <Card title="Loading" flush>
          <DataGrid label="Loading" rows={undefined} skeletonRows={4} {...grid} />
          <Pagination page={1} pageSize={25} total={undefined} href={() => '#'} />
        </Card>
        <Card title="Rows from before" flush>
          <DataGrid label="Rows from before" rows={samples.slice(0, 3)} busy {...grid} density="compact" />
        </Card>
        <Card title="Nothing" flush>
          <DataGrid
            label="Nothing"
            rows={[]}
            {...grid}
            empty={<EmptyState title="No systems match" text="Try fewer filters." action={<Button>Clear filters</Button>} />}
          />
        </Card>
        <Card title="Error">
          <ErrorState
            title="Something went wrong"
            subtitle="The server did not answer."
            action={<Button icon="refresh">Refresh</Button>}
          />
        </Card>
        <Card title="Skeleton">
          <Skeleton lines={3} />
        </Card>
      </div>
    </>
  )
}
