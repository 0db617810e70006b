import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { DefinitionsProvider } from '#fields/definitions.tsx'
import { FieldDisplay } from '#fields/field-display.tsx'
import { fieldText } from '#fields/field-text.ts'
import { inputs } from '#fields/inputs.ts'
import { registry } from '#fields/registry.ts'
import { knownZone } from '#fields/time/time-format.ts'
import { windowFields, windowLine } from '#resources/shared/week-window.ts'
import { definitionsOf, fieldOf } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import { endOfDay, isoFromLocal, localFromIso } from '#schema/format/zone-time.ts'
import { permissionsFor } from '#schema/permission-snapshot.ts'
import type { Role } from '#schema/roles.ts'
import type { Language } from '#schema/words.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { people, toy } from '#tests/support/toy-resource.ts'

afterEach(cleanup)
expectQuietConsole()

const definitions = definitionsOf([toy, people])

type Shown = { role?: Role; language?: Language; place?: 'cell' | 'record'; zone?: string }

function show(path: string, row: Record<string, unknown>, shown: Shown = {}) {
  const field = fieldOf(toy, path)
  if (!field) throw new Error(`no field ${path}`)
  return showField(field, path, row, shown)
}

function showField(
  field: Field,
  path: string,
  row: Record<string, unknown>,
  { role = 'admin', language = 'en', place = 'record', zone = 'UTC' }: Shown = {},
) {
  return render(
    <DefinitionsProvider
      definitions={definitions}
      permissions={permissionsFor(definitions, role)}
      viewer={{ id: 'me', role }}
      language={language}
      zone={zone}
    >
      <FieldDisplay field={field} path={path} row={row} place={place} />
    </DefinitionsProvider>,
  ).container
}

const quantity = (unit: 'Wh' | 'W' | '%' | 'V' | 'ms', facts: object = {}): Field => ({
  type: 'quantity',
  label: ['Q', 'К'],
  unit,
  ...facts,
})

const week: Field = { type: 'group', label: ['W', 'О'], line: windowLine, fields: windowFields }

describe('a value as text', () => {
  const texts: [Field, unknown, string, string][] = [
    [quantity('Wh'), 12_500, '12.5 kWh', '12,5 кВт·ч'],
    [quantity('Wh'), 1_234, '1.23 kWh', '1,23 кВт·ч'],
    [quantity('W'), -2_100, '-2.10 kW', '-2,10 кВт'],
    [quantity('W'), 950, '950 W', '950 Вт'],
    [quantity('W', { scale: 'none' }), 12_500, '12,500 W', '12 500 Вт'],
    [quantity('ms', { scale: 's' }), 450, '0.5 s', '0,5 с'],
    [quantity('ms', { scale: 's' }), 312_000, '312.0 s', '312,0 с'],
    [quantity('ms', { scale: 's' }), 86_400_000, '86,400.0 s', '86 400,0 с'],
    [quantity('%', { digits: 1 }), 45.46, '45.5%', '45,5 %'],
    [quantity('V', { digits: 2 }), 3.3, '3.30 V', '3,30 В'],
    [{ type: 'percent', label: ['P', 'П'] }, 80, '80%', '80 %'],
    [{ type: 'bytes', label: ['B', 'Б'] }, 1_536, '1.5 KB', '1,5 КБ'],
    [{ type: 'duration', label: ['D', 'Д'] }, 5_400, '1 h 30 min', '1 ч 30 мин'],
    [{ type: 'count', label: ['C', 'К'] }, 1_250, '1.3K', '1,3К'],
    [{ type: 'integer', label: ['I', 'Ц'] }, 1_250, '1,250', '1 250'],
    [{ type: 'integer', label: ['I', 'Ц'], options: { 0: ['At once', 'Сразу'] } }, 0, 'At once', 'Сразу'],
    [{ type: 'integer', label: ['I', 'Ц'], options: { 0: ['At once', 'Сразу'] } }, 7, '7', '7'],
    [{ type: 'decimal', label: ['D', 'Д'], digits: 2 }, 0.5, '0.50', '0,50'],
    [week, { days: ['1', '2', '3'], from: '01:00', to: '05:00' }, 'Mon–Wed 01:00–05:00', 'Пн–Ср 01:00–05:00'],
    [week, { days: ['1', '3'], from: '22:00', to: '05:00' }, 'Mon, Wed 22:00–05:00', 'Пн, Ср 22:00–05:00'],
    [{ type: 'boolean', label: ['B', 'Л'] }, false, 'No', 'Нет'],
    [{ type: 'enum', label: ['E', 'П'], options: { RED: ['Red', 'Красный'] } }, 'RED', 'Red', 'Красный'],
    [{ type: 'enum', label: ['E', 'П'], options: ['LFP'] }, 'LFP', 'LFP', 'LFP'],
    [{ type: 'date', label: ['D', 'Д'] }, '2026-03-31', '31 Mar 2026', '31 мар. 2026 г.'],
    [{ type: 'dateTime', label: ['T', 'В'] }, '2026-03-31T21:05:00.000Z', '31 Mar 2026, 21:05', '31 мар. 2026 г., 21:05'],
    [{ type: 'tags', label: ['T', 'М'] }, ['a', 'b'], 'a, b', 'a, b'],
    [{ type: 'file', label: ['F', 'Ф'] }, { name: 'a.bin', sizeBytes: 2048 }, 'a.bin (2.0 KB)', 'a.bin (2,0 КБ)'],
    [{ type: 'json', label: ['J', 'Д'] }, { a: 1 }, '{"a":1}', '{"a":1}'],
    [{ type: 'text', label: ['T', 'Т'] }, null, '', ''],
  ]
  it.each(texts)('%o of %o is “%s”, in Russian “%s”', (field, value, en, ru) => {
    const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ').replace('\u2212', '-')
    expect(plain(fieldText(field, value, { language: 'en', zone: 'UTC' }))).toBe(en)
    expect(plain(fieldText(field, value, { language: 'ru', zone: 'UTC' }))).toBe(ru)
  })
})

describe('a value on the screen', () => {
  it('is a dash with a name where there is none', () => {
    const view = show('name', { name: null })
    expect(view.textContent).toBe('—No value')
    expect(view.querySelector('[aria-hidden]')?.textContent).toBe('—')
  })

  it('is what no value means, where the definition says so', () => {
    const field: Field = { type: 'text', label: ['T', 'Т'], none: ['by itself', 'автоматически'] }
    expect(showField(field, 'name', { name: null }, { language: 'ru' }).textContent).toBe('автоматически')
    cleanup()
    expect(showField(field, 'name', { name: 'Ann' }).textContent).toBe('Ann')
  })

  it('is measured in what another field of its row says', () => {
    const field: Field = { type: 'decimal', label: ['V', 'З'], digits: 2, unitOf: 'unit' }
    const text = (value: number, unit: string | null, language: Language) =>
      showField(field, 'value', { value, unit }, { language }).textContent?.replace(/[\u00a0\u202f]/g, ' ')
    expect([text(3.685, 'V', 'en'), text(3.685, 'V', 'ru')]).toEqual(['3.69 V', '3,69 В'])
    expect([text(1664.21, 'h', 'en'), text(1664.21, 'h', 'ru')]).toEqual(['69 d 8 h', '69 д 8 ч'])
    expect([text(12, '%', 'en'), text(7, 'pcs', 'en'), text(7, null, 'en')]).toEqual(['12%', '7 pcs', '7.00'])
  })

  it('is measured and paid in what another part of its group, or of its row in a list, says', () => {
    const fields = {
      value: { type: 'decimal', label: ['V', 'З'], digits: 1, unitOf: 'unit' },
      unit: { type: 'text', label: ['U', 'Е'] },
      fee: { type: 'money', label: ['F', 'С'], currencyOf: 'currency' },
      currency: { type: 'text', label: ['C', 'В'] },
    } as const
    const parts = (unit: string, currency: string) => ({ value: 3, unit, fee: 5, currency })
    const row = { own: parts('V', 'EUR'), rows: [parts('W', 'USD'), parts('A', 'JPY')], unit: 'pcs', currency: 'RUB' }
    const textOf = (field: Field, path: string) => showField(field, path, row).textContent?.replace(/[\u00a0\u202f]/g, ' ')
    expect(textOf({ type: 'group', label: ['O', 'С'], fields }, 'own')).toMatch(/3 V.*€5\.00/)
    cleanup()
    expect(textOf({ type: 'list', label: ['R', 'Р'], fields }, 'rows')).toMatch(/3 W.*\$5\.00.*3 A.*¥5/)
  })

  it('is one line where a group has one', () => {
    const row = { week: { days: ['6', '7'], from: '22:00', to: '05:30' } }
    expect(showField(week, 'week', row, { place: 'record' }).textContent).toBe('Sat, Sun 22:00–05:30')
  })

  it('is several records with commas between them', () => {
    const field: Field = { type: 'references', label: ['O', 'В'], to: 'toy' }
    const row = {
      owners: ['1', '2', '3'],
      ownersRef: ['Ann', 'Ben', 'Cy'].map((name, index) => ({ id: String(index + 1), code: name, name })),
    }
    expect(showField(field, 'owners', row, { place: 'cell' }).textContent).toBe('Ann, Ben, Cy')
    cleanup()
    expect(showField(field, 'owners', { ...row, owners: ['2'] }).textContent).toBe('Ben')
  })

  it('says a state in words beside its tone', () => {
    const view = show('state', { state: 'BROKEN' }, { language: 'ru' })
    expect(view.textContent).toBe('Сломана')
    expect(view.querySelector('.ui-dot-bad')).toBeTruthy()
  })

  it('shows an unknown state as it came', () => {
    expect(show('state', { state: 'MELTED' }).textContent).toBe('MELTED')
  })

  it('keeps the exact figure behind a shortened one', () => {
    expect(show('powerW', { powerW: 12_345 }).querySelector('[title]')?.getAttribute('title')).toBe('12,345 W')
    expect(show('powerW', { powerW: 12.5 }).querySelector('[title]')).toBeNull()
  })

  it('writes moments in the viewer’s zone, with the whole moment in UTC behind them', () => {
    const view = show('seenAt', { seenAt: '2026-03-31T21:05:06.007Z' }, { zone: 'Asia/Tokyo' })
    expect(view.textContent).toBe('1 Apr 2026, 06:05')
    expect(view.querySelector('time')?.title).toBe('2026-03-31 21:05:06.007 UTC')
  })

  it('keeps dates on the screen when the browser does not know a zone', () => {
    expect(knownZone('Europe/Berlin')).toBe('Europe/Berlin')
    expect(knownZone('Mars/Olympus')).toBeUndefined()
    expect(knownZone(null)).toBeUndefined()
  })

  it('writes a day the same in every zone', () => {
    expect(show('boughtOn', { boughtOn: '2026-03-31' }, { zone: 'America/New_York' }).textContent).toBe('31 Mar 2026')
  })

  it('links a reference to its record by name, for those who may open it', () => {
    const row = { ownerId: 'p/1', owner: { id: 'p/1', email: 'ann@example.com' } }
    expect(show('ownerId', row).querySelector('a')?.getAttribute('href')).toBe('/person/p%2F1')
    cleanup()
    const view = show('ownerId', row, { role: 'client' })
    expect(view.textContent).toBe('ann@example.com')
    expect(view.querySelector('a')).toBeNull()
  })

  it('falls back to the id of a reference without a summary, or with another’s', () => {
    expect(show('ownerId', { ownerId: 'p1' }).textContent).toBe('p1')
    cleanup()
    expect(show('ownerId', { ownerId: 'p1', owner: { id: 'p2', email: 'bob@example.com' } }).textContent).toBe('p1')
  })

  it('says of a record that the server keeps to itself no more than that, and links to none', () => {
    const view = show('ownerId', { ownerId: 'p1', owner: null })
    expect(view.textContent).toBe('Not available')
    expect(view.querySelector('a')).toBeNull()
    cleanup()
    const friends = show('friendIds', { friendIds: ['p1', 'p2'], friendIdsRef: [{ id: 'p2', email: 'bob@example.com' }] })
    expect([...friends.querySelectorAll('a')].map((link) => link.textContent)).toEqual(['bob@example.com'])
  })

  it('shows a group as its facts, and in a cell as one line', () => {
    const row = { place: { room: 'Attic', shelf: 2 } }
    show('place', row)
    expect(screen.getAllByRole('term').map((term) => term.textContent)).toContain('Shelf')
    cleanup()
    expect(show('place', row, { place: 'cell' }).querySelector('dl')).toBeNull()
  })

  it('shows a list as a table, and in a cell as its length', async () => {
    const row = { parts: [{ part: 'wheel', count: 4 }] }
    show('parts', row)
    expect(await screen.findByRole('cell', { name: 'wheel' })).toBeTruthy()
    cleanup()
    expect(show('parts', row, { place: 'cell' }).textContent).toBe('1 item')
  })

  it('never makes a link of an address that runs something', () => {
    expect(show('page', { page: 'javascript:alert(1)' }).querySelector('a')).toBeNull()
    cleanup()
    expect(show('page', { page: 'https://example.com/' }).querySelector('a')?.getAttribute('href')).toBe('https://example.com/')
  })
})

describe('the registries', () => {
  it('have a display and an input for the same types', () => {
    expect(Object.keys(inputs).toSorted()).toEqual(Object.keys(registry).toSorted())
  })
})

describe('clocks of other zones', () => {
  it.each([
    ['2026-07-01T12:00:00.000Z', 'Europe/Moscow', '2026-07-01T15:00'],
    ['2026-01-01T02:00:00.000Z', 'America/New_York', '2025-12-31T21:00'],
    ['2026-06-01T00:00:00.000Z', 'Asia/Kolkata', '2026-06-01T05:30'],
  ])('%s in %s is %s, and back', (iso, zone, local) => {
    expect(localFromIso(iso, zone)).toBe(local)
    expect(isoFromLocal(local, zone)).toBe(iso)
  })

  it('ends a day where the next begins, also when the clocks change', () => {
    expect(isoFromLocal('2026-03-29', 'Europe/Berlin')).toBe('2026-03-28T23:00:00.000Z')
    expect(endOfDay('2026-03-29', 'Europe/Berlin')).toBe('2026-03-29T21:59:59.999Z')
    expect(isoFromLocal('nonsense', 'Europe/Berlin')).toBeUndefined()
  })
})
