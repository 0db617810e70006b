import { expect, it } from 'vitest'
import { configurationFields } from '#resources/shared/configuration.ts'
import { say } from '#schema/words.ts'
import { configurationFaults, defaultConfiguration } from '#server/fleet/configuration/configuration-rules.ts'

const limits = {
  chemistry: null,
  cells: null,
  cellsInSeries: null,
  ratedChargePowerW: 12_500,
  ratedDischargePowerW: 10_000,
  gridConnectionLimitW: null,
}
const first = defaultConfiguration(configurationFields)

/** The message at a setting in both languages. */
function told(change: object, path: string) {
  const faults = configurationFaults({ ...first, ...change }, { limits, before: first, now: new Date() }, configurationFields)
  const fault = faults.find((one) => one.path === `desired.${path}`)
  return (['en', 'ru'] as const).map((language) => fault?.text && say(fault.text, language).replaceAll(/[\u00a0\u202f]/g, ' '))
}

it('the bounds of a configuration are read as values are, in the language of the person', () => {
  expect(told({ chargePowerLimitW: 20_000 }, 'chargePowerLimitW')).toEqual([
    'Must be between 0 W and 12,500 W',
    'Должно быть от 0 Вт до 12 500 Вт',
  ])
  expect(told({ operatingMode: 'MANUAL', manualPowerW: 20_000 }, 'manualPowerW')[0]).toBe(
    'Must be between -12,500 W and 10,000 W',
  )
})
