import { describe, expect, it } from 'vitest'
import { configurationFields } from '#resources/shared/configuration.ts'
import { asDesired } from '#widgets/configuration/configuration-sync.ts'

describe('what a board runs with, as the desired configuration', () => {
  const present = {
    reportIntervalS: 60,
    socMaxPct: 100,
    chargePowerLimitW: 3_000,
    gridExportLimitW: 0,
    rawCaptureUntil: '2026-11-23T12:00:00Z',
  }

  it('keeps what the board does not have, and unsets what is not set there', () => {
    const adopted = asDesired(
      configurationFields,
      { reportIntervalS: null, socMaxPct: 80, gridExportLimitW: null },
      present,
      true,
    )
    expect(adopted).toMatchObject({ ...present, socMaxPct: 80, gridExportLimitW: null })
  })

  it('unsets what an older version did not set', () => {
    expect(asDesired(configurationFields, { socMaxPct: 80 }, present, false)).toMatchObject({
      reportIntervalS: 60,
      socMaxPct: 80,
      chargePowerLimitW: null,
    })
  })
})
