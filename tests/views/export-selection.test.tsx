import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import type { ExportList } from '#schema/wire/calls.ts'
import { seenByAdmin } from '#tests/support/seen-by-admin.tsx'
import { boat, sailor } from '#tests/support/toy-definition.ts'
import { ExportSelection } from '#views/bulk/export-selection.tsx'
import { ViewsProvider } from '#views/shared/view-context.tsx'

afterEach(cleanup)

const nothing = () => undefined
const definitions = definitionsOf([boat, sailor])

function offer(ids: readonly string[]) {
  const exportList = vi.fn<ExportList>(() => Promise.reject(new Error('announced elsewhere')))
  const rows = new Map(ids.map((id) => [id, { id }]))
  const selection = { keys: new Set(ids), rows, set: nothing, add: nothing, drop: nothing, clear: nothing }
  render(
    seenByAdmin(
      definitions,
      <ViewsProvider exportList={exportList}>
        <ExportSelection
          resource={boat}
          selection={selection}
          source={undefined}
          columns={['code']}
          sort={[{ field: 'code', order: 'desc' }]}
        />
      </ViewsProvider>,
    ),
  )
  return exportList
}

it('asks for the selected rows alone, with the columns and the order on screen', async () => {
  const exportList = offer(['b1', 'b3'])
  fireEvent.click(screen.getByRole('button', { name: 'Export selected' }))
  await waitFor(() => expect(exportList).toHaveBeenCalledOnce())
  expect(exportList.mock.calls[0]?.[0]).toMatchObject({
    list: 'boat',
    filters: [{ field: 'id', op: 'eq', values: ['b1', 'b3'] }],
    sort: [{ field: 'code', order: 'desc' }],
    columns: ['code'],
    q: '',
  })
})

it('is not offered for more rows than an address can name', () => {
  offer(Array.from({ length: 251 }, (_, index) => `b${index}`))
  expect(screen.queryByRole('button', { name: 'Export selected' })).toBeNull()
})
