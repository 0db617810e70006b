import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter, useLocation } from 'react-router'
import { afterEach, expect, it } from 'vitest'
import { DefinitionsProvider } from '#fields/definitions.tsx'
import { definitionsOf } from '#schema/definition.ts'
import { permissionsFor } from '#schema/permission-snapshot.ts'
import type { AnyResource } from '#schema/resource.ts'
import { boat, sailor } from '#tests/support/toy-definition.ts'
import { Menu } from '#ui/overlay/menu.tsx'
import { useSelectionForms } from '#views/bulk/use-selection-forms.ts'
import { pickedStart } from '#views/form/picked-rows.ts'

afterEach(cleanup)

const race: AnyResource = {
  name: 'race',
  label: { one: ['Race', 'Гонка'], many: ['Races', 'Гонки'] },
  fields: {
    name: { type: 'text', label: ['Name', 'Название'] },
    boatIds: { type: 'references', label: ['Boats', 'Лодки'], to: 'boat', maxItems: 3 },
  },
  access: { list: ['admin', 'moderator'], create: ['admin'] },
}
const racing: AnyResource = {
  ...boat,
  list: { forms: [{ resource: 'race', field: 'boatIds', label: ['New race with these', 'Новая гонка с ними'] }] },
}
const definitions = definitionsOf([racing, sailor, race])

/** Shows the values that the opened form begins with. */
function Opened() {
  const { pathname, state } = useLocation()
  return <output>{`${pathname} ${JSON.stringify(pickedStart(race, state)?.filled ?? null)}`}</output>
}

function SelectionForms({ ids }: { ids: readonly string[] }) {
  return <Menu label="More" items={useSelectionForms(racing, new Set(ids))} />
}

function offer(ids: readonly string[], role: 'admin' | 'moderator' = 'admin', all = definitions) {
  render(
    <MemoryRouter initialEntries={['/boats']}>
      <DefinitionsProvider
        definitions={all}
        permissions={permissionsFor(all, role)}
        viewer={{ id: 'u1', role }}
        language="en"
        zone={undefined}
      >
        <SelectionForms ids={ids} />
        <Opened />
      </DefinitionsProvider>
    </MemoryRouter>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'More' }))
  return screen.queryByRole('menuitem', { name: /^New race with these/ })
}

it('opens the form of another resource with the selected rows in its field', () => {
  const button = offer(['b1', 'b3'])
  if (button) fireEvent.click(button)
  expect(screen.getByRole('status').textContent).toBe('/race/create {"boatIds":["b1","b3"]}')
})

it('is disabled, and says why where all can read it, where the field takes fewer rows', () => {
  const button = offer(['b1', 'b2', 'b3', 'b4'])
  expect(button?.getAttribute('aria-disabled')).toBe('true')
  expect(button?.textContent).toBe('New race with these: at most 3')
})

it('is not offered to those who may not create such a record', () => {
  expect(offer(['b1'], 'moderator')).toBeNull()
})

it('is not offered to those who may create one, and not write the field', () => {
  const boatIds = { type: 'references', label: ['Boats', 'Лодки'], to: 'boat', access: { write: ['admin'] } } as const
  const closed: AnyResource = {
    ...race,
    fields: { ...race.fields, boatIds },
    access: { list: ['moderator'], create: ['moderator'] },
  }
  expect(offer(['b1'], 'moderator', definitionsOf([racing, sailor, closed]))).toBeNull()
})

it('begins no form with what a history entry holds for another resource', () => {
  expect(pickedStart(race, { picked: { field: 'name', ids: ['b1'] } })).toBeUndefined()
  expect(pickedStart(race, { picked: { field: 'boatIds', ids: 'b1' } })).toBeUndefined()
  expect(pickedStart(race, { made: 'r1' })).toBeUndefined()
})
