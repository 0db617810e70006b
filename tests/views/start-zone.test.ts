import { describe, expect, it } from 'vitest'
import { zoneChoices } from '#fields/text/zone-choices.ts'
import type { Fields } from '#schema/field-types.ts'
import { startInZone } from '#views/form/start-zone.ts'

const zone = { type: 'timezone', label: ['Zone', 'Пояс'] } as const
const city = { type: 'text', label: ['City', 'Город'] } as const
const place = { type: 'group', label: ['Place', 'Место'], fields: { city, zone: { ...zone, required: true } } } as const

describe('the time zone of an empty form', () => {
  it('is the viewer’s where one must be given, in a required group too, and open elsewhere', () => {
    const fields = {
      own: { ...zone, required: true },
      other: zone,
      place: { ...place, required: true },
      visit: place,
    } satisfies Fields
    const empty = { own: null, other: null, place: null, visit: null }
    expect(startInZone(fields, empty, 'Asia/Tokyo')).toEqual({
      own: 'Asia/Tokyo',
      other: null,
      place: { city: undefined, zone: 'Asia/Tokyo' },
      visit: null,
    })
    expect(startInZone(fields, { ...empty, own: 'UTC' }, 'Asia/Tokyo')).toMatchObject({ own: 'UTC' })
  })
})

describe('the list of time zones', () => {
  it('begins with the viewer’s own and tells the offset', () => {
    expect(zoneChoices('', 'Asia/Tokyo')[0]).toEqual({ value: 'Asia/Tokyo', label: 'Asia/Tokyo', hint: 'GMT+9' })
  })

  it('is searched by words in any order, as people write them', () => {
    expect(zoneChoices('york america', 'UTC').map(({ value }) => value)).toEqual(['America/New_York'])
    expect(zoneChoices('new york', 'UTC').map(({ value }) => value)).toEqual(['America/New_York'])
    expect(zoneChoices('Atlantis', 'UTC')).toEqual([])
  })
})
