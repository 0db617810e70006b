import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { DefinitionsProvider } from '#fields/definitions.tsx'
import { definitionsOf } from '#schema/definition.ts'
import type { ExportFile } from '#schema/wire/calls.ts'
import { ViewsProvider } from '#views/shared/view-context.tsx'
import { ExportMenu } from '#widgets/telemetry/export-menu.tsx'

afterEach(cleanup)

const viewer = { id: 'u1', role: 'admin' } as const

function openMenu(exportFile: ExportFile) {
  const toMs = Date.UTC(2026, 5, 2)
  render(
    <DefinitionsProvider definitions={definitionsOf([])} permissions={{}} viewer={viewer} language="en" zone={undefined}>
      <ViewsProvider exportFile={exportFile}>
        <ExportMenu subject={{ controlPcbId: 'b1' }} window={{ fromMs: toMs - 86_400_000, toMs }} channels={['socPct']} />
      </ViewsProvider>
    </DefinitionsProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Export' }))
}

it.each([
  ['Rows of 5 minutes', '5m'],
  ['Rows of an hour', '1h'],
  ['Rows of a day', '1d'],
  ['Rows of a month', 'month'],
])('the choice "%s" asks the server for the resolution %s of what is on screen', async (name, resolution) => {
  const exportFile = vi.fn<ExportFile>(() => Promise.reject(new Error('announced elsewhere')))
  openMenu(exportFile)
  fireEvent.click(screen.getByRole('menuitem', { name }))
  await waitFor(() => expect(exportFile).toHaveBeenCalledOnce())
  const [path = '', query = ''] = exportFile.mock.calls[0]?.[0].path.split('?') ?? []
  expect(path).toBe('telemetry/export')
  const asked = new URLSearchParams(query)
  expect(asked.get('resolution')).toBe(resolution)
  expect(asked.get('controlPcbId')).toBe('b1')
  expect(asked.getAll('channel')).toEqual(['socPct'])
})
