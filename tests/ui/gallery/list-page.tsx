import { useMemo, useState } from 'react'
import { StatusDot } from '#ui/feedback/status-dot.tsx'
import { DataGrid } from '#ui/grid/data-grid.tsx'
import type { GridColumn, SortOrder } from '#ui/grid/data-grid-types.ts'
import { Pagination } from '#ui/grid/pagination.tsx'
import { Button } from '#ui/input/button.tsx'
import { CheckboxGroup } from '#ui/input/checkbox-group.tsx'
import { IconButton } from '#ui/input/icon-button.tsx'
import { SearchInput } from '#ui/input/search-input.tsx'
import { Card } from '#ui/layout/card.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Toolbar } from '#ui/layout/toolbar.tsx'
import { Menu } from '#ui/overlay/menu.tsx'
import { Popover } from '#ui/overlay/popover.tsx'
import { type Sample, samples } from './sample-rows.ts'

const number = new Intl.NumberFormat('en')

const columns: GridColumn<Sample>[] = [
  { key: 'code', header: 'Code', sort: 'asc', width: 130, cell: (row) => row.code },
  { key: 'owner', header: 'Owner', sort: 'none', width: 210, cell: (row) => row.owner },
  {
    key: 'state',
    header: 'Connection',
    width: 130,
    cell: (row) => (
      <StatusDot tone={row.tone} active={row.tone === 'info'}>
        {row.state}
      </StatusDot>
    ),
  },
  { key: 'soc', header: 'Charge, %', align: 'end', sort: 'none', width: 110, cell: (row) => number.format(row.socPct) },
  { key: 'power', header: 'Power, W', align: 'end', sort: 'none', width: 110, cell: (row) => number.format(row.powerW) },
  {
    key: 'energy',
    header: 'Rated energy, Wh',
    align: 'end',
    sort: 'none',
    width: 150,
    cell: (row) => number.format(row.energyWh),
  },
  { key: 'firmware', header: 'Firmware', width: 100, cell: (row) => row.firmware },
  { key: 'seen', header: 'Last seen', sort: 'none', width: 160, cell: (row) => row.seenAt },
]

const states = [
  { value: 'good', label: 'Online' },
  { value: 'warn', label: 'Warning' },
  { value: 'bad', label: 'Fault' },
  { value: 'idle', label: 'Offline' },
]

const rowHref = (row: Sample) => `#/record/${row.id}`
const rowKey = (row: Sample) => row.id
const rowTone = (row: Sample) => (row.tone === 'bad' ? row.tone : undefined)
const rowLabel = (row: Sample) => row.code
const rowActions = (row: Sample) => (
  <>
    <IconButton icon="edit" size="small" label={`Edit ${row.code}`} href={`#/form/${row.id}`} />
    <Menu
      label={`Actions of ${row.code}`}
      size="small"
      items={[
        { key: 'restart', label: 'Restart', icon: 'refresh' },
        { key: 'owner', label: 'Change owner', icon: 'client', hint: 'O' },
        { key: 'off', label: 'Update firmware', icon: 'firmware', disabled: true, hint: 'offline' },
        { key: 'line', separator: true },
        { key: 'delete', label: 'Delete', icon: 'trash', danger: true },
      ]}
    />
  </>
)

export function ListPage({ rows = samples }: { rows?: Sample[] }) {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set(['2', '3']))
  const [sort, setSort] = useState<{ key: string; order: SortOrder } | undefined>({ key: 'code', order: 'asc' })
  const [values, setValues] = useState(['good'])
  const [search, setSearch] = useState('')
  const [pageSize, setPageSize] = useState(25)
  const shown = useMemo(
    () =>
      columns.map(
        (column): GridColumn<Sample> =>
          column.sort ? { ...column, sort: column.key === sort?.key ? sort.order : 'none' } : column,
      ),
    [sort],
  )
  return (
    <>
      <PageHeader
        title="Energy storage systems"
        actions={
          <>
            <Button icon="download">Export</Button>
            <Button kind="primary" icon="plus">
              Create
            </Button>
          </>
        }
      />
      <Card flush>
        <Toolbar
          end={
            <>
              <IconButton icon="refresh" label="Refresh" />
              <IconButton icon="columns" label="Columns" />
            </>
          }
        >
          <SearchInput label="Search by code or owner" value={search} onChange={setSearch} />
          <Popover label="Connection" text="Connection" icon="filter" count={values.length}>
            <CheckboxGroup label="Connection" options={states} values={values} onChange={setValues} />
          </Popover>
        </Toolbar>
        <DataGrid
          label="Energy storage systems"
          rows={rows}
          columns={shown}
          {...{ rowKey, rowHref, rowTone, rowActions }}
          selection={{ keys, onChange: setKeys, rowLabel }}
          onSort={(key, next) => setSort(next && { key, order: next })}
          maxHeight="calc(100dvh - 236px)"
        />
        <Pagination
          page={4}
          pageSize={pageSize}
          total={10_000}
          href={(page) => `#/list/${page}`}
          onPageSizeChange={setPageSize}
        />
      </Card>
    </>
  )
}
