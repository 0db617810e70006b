import { describe, expect, it } from 'vitest'
import type { Fault } from '#schema/faults.ts'
import type { Fields } from '#schema/field-types.ts'
import { say } from '#schema/words.ts'
import { showFaults } from '#server/engine/records/show-faults.ts'

const fields: Fields = {
  plate: { type: 'text', label: ['Plate', 'Номер'], pattern: '[A-Z]{3}', help: ['Three capitals', 'Три заглавные буквы'] },
  powerW: { type: 'quantity', label: ['Power', 'Мощность'], unit: 'W' },
  place: {
    type: 'group',
    label: ['Place', 'Место'],
    fields: { hall: { type: 'text', label: ['Hall', 'Зал'], pattern: '[a-z]' } },
  },
}

const words = (fault: Fault) => {
  const [shown] = showFaults([fault], fields)
  return shown?.text && [say(shown.text, 'en'), say(shown.text, 'ru')]
}

describe('the sentence of a fault', () => {
  it('says the form of a text in the words of its field', () => {
    expect(words({ path: 'plate', code: 'bad-pattern' })).toEqual([
      'This does not have the expected form: Three capitals',
      'Не соответствует ожидаемому формату: Три заглавные буквы',
    ])
    expect(words({ path: 'place.hall', code: 'bad-pattern' })).toBeUndefined()
  })

  it('does not repeat the label of a field that is closed, and says so of a new record', () => {
    expect(words({ path: 'place.hall', code: 'read-only', params: { key: 'hall', verb: 'edit' } })).toEqual([
      'This cannot be changed here',
      'Здесь это изменить нельзя',
    ])
    expect(words({ path: 'plate', code: 'read-only', params: { key: 'plate', verb: 'create' } })).toEqual([
      'This cannot be set on a new record',
      'При создании это задать нельзя',
    ])
    expect(words({ path: 'gone', code: 'read-only', params: { key: 'gone' } })).toBeUndefined()
  })

  it('says a bound with the unit of its field', () => {
    const [english, russian] = words({ path: 'powerW', code: 'too-big', params: { max: 10_000 } }) ?? []
    expect([english, russian?.replaceAll('\u00a0', ' ')]).toEqual([
      'Must be 10,000 W or less',
      'Должно быть не больше 10 000 Вт',
    ])
  })

  it('names what has to be chosen first', () => {
    expect(words({ path: 'x', code: 'parent-first', params: { parents: 'plate place.hall' } })).toEqual([
      'First choose: Plate, Place / Hall',
      'Сначала выберите: Номер, Место / Зал',
    ])
    expect(words({ path: 'x', code: 'parent-first', params: { parents: 'gone' } })).toBeUndefined()
  })
})
