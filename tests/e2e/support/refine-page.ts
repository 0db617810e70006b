/** A page as Refine's documentation writes it: nothing of the console but its address. */
export const refinePage = `import '@ant-design/v5-patch-for-react-19'
import { DateField, EditButton, getDefaultSortOrder, List, SaveButton, ShowButton, useForm, useTable } from '@refinedev/antd'
import { CanAccess, useShow } from '@refinedev/core'
import { Form, Input, Space, Table } from 'antd'
import { useParams } from 'react-router'

type Ess = { id: string; version: number; code: string; name: string; installedAt: string | null }

function EssTable() {
  const { tableProps, sorters } = useTable<Ess>({
    resource: 'ess',
    syncWithLocation: false,
    sorters: { initial: [{ field: 'code', order: 'asc' }] },
    pagination: { pageSize: 10 },
  })
  return (
    <List resource="ess" title="All systems" breadcrumb={false} canCreate={false}>
      <Table<Ess> {...tableProps} rowKey="id">
        <Table.Column<Ess> dataIndex="code" title="Code" sorter defaultSortOrder={getDefaultSortOrder('code', sorters)} render={(code, { id }) => <a href={'/plain/' + id}>{code}</a>} />
        <Table.Column<Ess> dataIndex="name" title="Name" sorter />
        <Table.Column<Ess> dataIndex="installedAt" title="Installed" render={(day) => day && <DateField value={day} format="DD.MM.YYYY" />} />
        <Table.Column<Ess> title="Actions" render={(_, { id }) => (
          <Space>
            <ShowButton resource="ess" recordItemId={id} size="small" />
            <EditButton resource="ess" recordItemId={id} size="small" />
          </Space>
        )} />
      </Table>
    </List>
  )
}

function EssForm({ id }: { id: string }) {
  const { result: record } = useShow<Ess>({ resource: 'ess', id })
  const { formProps, saveButtonProps } = useForm<Ess>({ resource: 'ess', action: 'edit', id, redirect: false })
  return (
    <>
      <h1>{record ? record.code + ' ' + record.name : ''}</h1>
      <CanAccess resource="ess" action="edit" fallback={<p>Look, do not touch</p>}>
        <Form {...formProps} layout="vertical">
          <Form.Item name="version" hidden><Input /></Form.Item>
          <Form.Item name="name" label="Name of the system"><Input /></Form.Item>
          <SaveButton {...saveButtonProps} />
        </Form>
      </CanAccess>
    </>
  )
}

export function PlainPage() {
  const { id } = useParams()
  return (
    <CanAccess resource="ess" action="list" fallback={<p>Nothing to see here</p>}>
      {id ? <EssForm id={id} /> : <EssTable />}
    </CanAccess>
  )
}
`
