import { describe, expect, it } from 'vitest'
import { groupsOf } from '#resources/fleet/configuration-groups.ts'
import { configurationFields } from '#resources/shared/configuration.ts'
import { holdsDanger } from '#schema/danger-part.ts'
import { dangersOf, type Fields } from '#schema/field-types.ts'
import { changedDangers } from '#server/fleet/configuration/configuration-rules.ts'

/** The rows of the class "danger", written down from the contract and not from the code. */
const table = [
  'manualPowerW',
  'schedule',
  'cellVoltageMinMv',
  'cellVoltageMaxMv',
  'chargeCurrentMaxA',
  'dischargeCurrentMaxA',
  'chargeTempMinC',
  'chargeTempMaxC',
  'dischargeTempMinC',
  'dischargeTempMaxC',
]

describe('fields of a configuration that can hurt', () => {
  it('are marked in the definition, as the contract lists them', () => {
    expect(dangersOf(configurationFields).toSorted()).toEqual(table.toSorted())
  })

  it('are the entries of a schedule that have a power, and no others', () => {
    const night = { days: ['1'], from: '22:00', to: '06:00', mode: 'BACKUP' }
    const sale = { days: ['1'], from: '18:00', to: '20:00', mode: 'MANUAL', powerW: 4_000 }
    const held = (schedule: object[]) => holdsDanger(configurationFields.schedule, schedule)
    expect([held([]), held([night]), held([night, sale])]).toEqual([false, false, true])
    expect(holdsDanger(configurationFields.chargeTempMaxC, null)).toBe(true)
    const changed = (before: object[], after: object[]) =>
      changedDangers({ schedule: before }, { schedule: after }, configurationFields)
    expect(changed([], [night])).toEqual([])
    expect(changed([night, sale], [{ ...sale, targetSocPct: null }])).toEqual([])
    expect(changed([night], [night, sale])).toEqual(['schedule'])
    expect(changed([sale], [])).toEqual(['schedule'])
    expect(changed([sale], [{ ...sale, powerW: -4_000 }])).toEqual(['schedule'])
    expect(changed([sale], [{ ...sale, to: '21:00' }])).toEqual(['schedule'])
  })

  it('are guarded and shown with the protection by their mark alone, also inside a group', () => {
    const fields: Fields = {
      ...configurationFields,
      fuseA: { type: 'quantity', unit: 'A', label: ['Fuse', 'Предохранитель'], danger: true },
      relay: {
        type: 'group',
        label: ['Relay', 'Реле'],
        fields: { closeA: { type: 'quantity', unit: 'A', label: ['Closes at', 'Замыкается при'], danger: true } },
      },
    }
    expect(changedDangers({ relay: { closeA: 5 } }, { relay: { closeA: 5 } }, fields)).toEqual([])
    const after = { fuseA: 40, relay: { closeA: 5 }, reportIntervalS: 5 }
    expect(changedDangers({}, after, fields)).toEqual(['fuseA', 'relay'])
    const protection = groupsOf(fields).find(({ label: [en] }) => en === 'Protection of the cells')
    expect(protection?.fields).toEqual([
      ...table.filter((name) => name !== 'manualPowerW' && name !== 'schedule'),
      'fuseA',
      'relay',
    ])
  })
})
