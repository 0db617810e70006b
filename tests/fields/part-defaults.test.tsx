import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { DefinitionsProvider } from '#fields/definitions.tsx'
import type { FieldIn, InputPart, InputProps } from '#fields/field-kind.ts'
import { structureInputs } from '#fields/structure/structure-inputs.tsx'
import { definitionsOf } from '#schema/definition.ts'
import { permissionsFor } from '#schema/permission-snapshot.ts'

afterEach(cleanup)

const definitions = definitionsOf([])
const fields = {
  note: { type: 'text', label: ['Note', 'Заметка'] },
  grade: { type: 'text', label: ['Grade', 'Класс'], default: 'A' },
} as const
const group: FieldIn<'group'> = { type: 'group', label: ['Place', 'Место'], fields }
const list: FieldIn<'list'> = { type: 'list', label: ['Rows', 'Строки'], fields }

/** Draws an input whose parts are boxes, and gives what its changes make of the value. */
function drawn<T extends 'group' | 'list'>(type: T, field: FieldIn<T>, value: unknown): unknown[] {
  const changes: unknown[] = []
  const { Input } = structureInputs[type] as { Input: (props: InputProps<T>) => React.ReactNode }
  const box = ({ path, onChange }: InputPart) => (
    <input key={path} aria-label={path} onChange={({ target }) => onChange(target.value || null)} />
  )
  render(
    <DefinitionsProvider
      definitions={definitions}
      permissions={permissionsFor(definitions, 'admin')}
      viewer={{ id: 'me', role: 'admin' }}
      language="en"
      zone="UTC"
    >
      <Input
        field={field}
        path="own"
        value={value}
        onChange={(next) => changes.push(next)}
        control={{ id: 'own' }}
        record={{}}
        messages={{}}
        drawInput={box}
      />
    </DefinitionsProvider>,
  )
  return changes
}

const type = (path: string, text: string) => fireEvent.change(screen.getByLabelText(path), { target: { value: text } })

describe('defaults of parts', () => {
  it('stand in a new row of a list', () => {
    const changes = drawn('list', list, [{ note: 'old', grade: null }])
    fireEvent.click(screen.getByRole('button', { name: 'Add' }))
    type('own.0.note', 'older')
    expect(changes).toEqual([
      [
        { note: 'old', grade: null },
        { note: null, grade: 'A' },
      ],
      [{ note: 'older', grade: null }],
    ])
  })

  it('come with the first part of a group that is filled, and with no later one', () => {
    const changes = drawn('group', group, null)
    type('own.note', 'new')
    cleanup()
    expect(changes).toEqual([{ note: 'new', grade: 'A' }])
    const later = drawn('group', group, { note: 'old', grade: null })
    type('own.note', 'newer')
    expect(later).toEqual([{ note: 'newer', grade: null }])
  })
})

describe('rows of a list input', () => {
  it('are groups of their own, and each button says which row it removes', () => {
    const changes = drawn('list', list, [{ note: 'one' }, { note: 'two' }])
    expect(screen.getAllByRole('group').map((row) => row.querySelector('legend')?.textContent)).toEqual(['Rows 1', 'Rows 2'])
    fireEvent.click(screen.getByRole('button', { name: 'Remove Rows 2' }))
    expect(changes).toEqual([[{ note: 'one' }]])
  })

  it('are called as the definition calls the parts that divide the whole', () => {
    const divides = { count: 'note', share: 'grade', label: ['Leg {number}', 'Этап {number}'], usual: [] } as const
    drawn('list', { ...list, divides }, [{ note: 'one' }])
    expect(screen.getByRole('group', { name: 'Leg 1' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Remove Leg 1' })).toBeTruthy()
  })

  it('take the focus from the button that goes with its row', async () => {
    drawn('list', list, [{ note: 'one' }, { note: 'two' }])
    fireEvent.click(screen.getByRole('button', { name: 'Remove Rows 1' }))
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Rows 1' })))
  })
})

it('draws the parts of a group under their headings, and the others behind them', () => {
  const sections = [{ label: ['Marks', 'Оценки'], fields: ['grade'] }] as const
  drawn('group', { ...group, sections }, null)
  expect(within(screen.getByRole('group', { name: 'Marks' })).getByLabelText('own.grade')).toBeTruthy()
  expect(screen.getAllByRole('textbox').map((box) => box.getAttribute('aria-label'))).toEqual(['own.grade', 'own.note'])
})
