import { describe, expect, it } from 'vitest'
import { chemistries } from '#resources/fleet/chemistries.ts'
import { plantOf } from '#server/demo/simulator/plant.ts'
import { ratedCurrentA } from '#server/frames/site-facts.ts'
import { home } from '#tests/server/demo/simulator/plants.ts'
import { home as plate } from '#tests/server/frames/sample-frames.ts'

describe('the chemistries of cells', () => {
  it.each(Object.entries(chemistries))(
    '%s has one nominal voltage for presets, decoder and simulator',
    (chemistry, { cells: { nominalMv } }) => {
      const nominalV = nominalMv / 1000
      expect(ratedCurrentA({ ...plate, chemistry })).toBeCloseTo(5_000 / (16 * nominalV), 6)
      const { capacityAh, cells, energyWh } = plantOf({ ...home, chemistry, ratedCapacityAh: null })
      expect(capacityAh).toBeCloseTo(energyWh / (cells * nominalV), 6)
    },
  )
})
