import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { DefinitionsProvider } from '#fields/definitions.tsx'
import type { FieldIn } from '#fields/field-kind.ts'
import { timeKinds } from '#fields/time/time.tsx'
import { timeInputs } from '#fields/time/time-inputs.tsx'
import { definitionsOf } from '#schema/definition.ts'
import { permissionsFor } from '#schema/permission-snapshot.ts'

afterEach(cleanup)

const definitions = definitionsOf([])
const field: FieldIn<'dateTime'> = { type: 'dateTime', label: ['Visit', 'Визит'], zone: 'site' }

function drawn(record: Record<string, unknown>, value: unknown, zone = 'Asia/Tokyo') {
  const changes: unknown[] = []
  const { Input } = timeInputs.dateTime
  const { Display } = timeKinds.dateTime
  const shared = { field, path: 'visitAt', value }
  render(
    <DefinitionsProvider
      definitions={definitions}
      permissions={permissionsFor(definitions, 'admin')}
      viewer={{ id: 'me', role: 'admin' }}
      language="en"
      zone={zone}
    >
      <Input
        {...shared}
        {...{ record }}
        onChange={(next) => changes.push(next)}
        control={{ 'aria-label': 'Visit' }}
        messages={{}}
        drawInput={() => null}
      />
      <Display {...shared} row={record} place="record" draw={() => null} write={() => ''} />
    </DefinitionsProvider>,
  )
  return changes
}

const visit = '2026-07-01T12:00:00.000Z'

it.each([
  ['its own', { timezone: 'Europe/Berlin' }],
  ['that of a group', { location: { city: 'Ulm', timezone: 'Europe/Berlin' } }],
])('a moment at a site is entered in the zone in which it is shown: %s', (_, record) => {
  const changes = drawn(record, visit)
  const input = screen.getByRole('textbox', { name: 'Visit' })
  expect(screen.getByRole('time').textContent).toBe('1 Jul 2026, 14:00')
  expect((input as HTMLInputElement).value).toContain('14:00')
  expect(input.getAttribute('aria-describedby')?.split(' ')).toContain(screen.getByText('Time in Europe/Berlin').id)
  fireEvent.change(input, { target: { value: '07/07/2026 09:30' } })
  expect(changes).toEqual(['2026-07-07T07:30:00.000Z'])
})

it('a moment of a site without a known zone stays in that of the viewer, and says no other', () => {
  drawn({ timezone: 'Mars/Olympus' }, visit)
  expect(screen.getByRole('time').textContent).toBe('1 Jul 2026, 21:00')
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Visit' }).value).toContain('21:00')
  expect(screen.queryByText(/Time in/)).toBeNull()
})
