import { describe, expect, it } from 'vitest'
import { configurationFields } from '#resources/shared/configuration.ts'
import { dangersOf, type Fields } from '#schema/field-types.ts'
import { changedDangers } from '#server/fleet/configuration/configuration-rules.ts'
import { groupsOf } from '#widgets/configuration/field-groups.ts'

/** The rows of the class "danger", written down from the contract and not from the code. */
const table = [
  'manualPowerW',
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
    const after = { fuseA: 40, relay: { closeA: 5 }, reportIntervalS: 5 }
    expect(changedDangers({}, after, fields)).toEqual(['fuseA', 'relay'])
    const protection = groupsOf(fields).find(({ label: [en] }) => en === 'Protection of the cells')
    expect(protection?.names).toEqual([...table.filter((name) => name !== 'manualPowerW'), 'fuseA', 'relay'])
  })
})
