import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { DefinitionsProvider } from '#fields/definitions.tsx'
import { FieldDisplay } from '#fields/field-display.tsx'
import { definitionsOf } from '#schema/definition.ts'
import { permissionsFor } from '#schema/permission-snapshot.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { people, toy } from '#tests/support/toy-resource.ts'

afterEach(cleanup)
expectQuietConsole()

it('shows a record that a row of a list points to by its name', async () => {
  const definitions = definitionsOf([toy, people])
  const toyId = { type: 'reference', label: ['Toy', 'Игрушка'], to: 'toy' } as const
  const row = { rows: [{ toyId: 't1', toy: { id: 't1', name: 'T-1' } }] }
  render(
    <DefinitionsProvider
      definitions={definitions}
      permissions={permissionsFor(definitions, 'admin')}
      viewer={{ id: 'me', role: 'admin' }}
      language="en"
      zone="UTC"
    >
      <FieldDisplay
        field={{ type: 'list', label: ['Toys', 'Игрушки'], fields: { toyId } }}
        path="rows"
        row={row}
        place="record"
      />
    </DefinitionsProvider>,
  )
  expect(await screen.findByRole('cell', { name: 'T-1' })).toBeTruthy()
})
