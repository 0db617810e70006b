import { expect, it } from 'vitest'
import { flagCodes } from '#resources/fleet/warnings/warning-codes.ts'
import { warnings } from '#resources/fleet/warnings/warnings.ts'

it('each bit of the event flags reports one warning, and there are 32 of them', () => {
  const bits = flagCodes.map((code) => warnings[code].flag.bit)
  expect(bits.filter((bit, index) => bits.indexOf(bit) !== index)).toEqual([])
  expect(bits.filter((bit) => !Number.isInteger(bit) || bit < 0 || bit > 31)).toEqual([])
})
