import type { Label } from '#schema/words.ts'
import type { CellPreset } from './chemistry-preset.ts'
import { critical, type Level, latches, warning } from './warnings/levels.ts'

/**
 * One chemistry of cells. `cells`: limits that a configuration may set, with the usual ones and the nominal voltage.
 * `possible`: bounds of a reading of one cell (mV), and of a pack per cell in series (V); a value outside of them is a fault of the frame.
 * `over`, `under`: standard levels of the warnings of cell voltage in V. `curve`: open-circuit voltage of the simulator by state of charge.
 */
export type ChemistryRow = {
  label: Label
  cells: CellPreset
  possible: { cellMv: readonly [min: number, max: number]; packV: readonly [min: number, max: number] }
  over: readonly Level[]
  under: readonly Level[]
  curve: readonly (readonly [socPct: number, volts: number])[]
}

/** Levels of LFP are the service defaults of most makers. */
export const chemistries = {
  LFP: {
    label: ['LFP', 'LFP'],
    cells: { lowestMinMv: 2500, highestMinMv: 3100, lowestMaxMv: 3400, highestMaxMv: 3650, usualMinMv: 2900, usualMaxMv: 3550, nominalMv: 3200 },
    possible: { cellMv: [1500, 4000], packV: [2, 3.8] },
    over:  [warning(3.58, 3.52), critical(3.65, 3.55, latches)],
    under: [warning(3.0,  3.1),  critical(2.8,  3.0,  latches)],
    curve: [[0, 2.85], [5, 3.1], [10, 3.2], [20, 3.25], [30, 3.28], [40, 3.295], [50, 3.305], [60, 3.315], [70, 3.33], [80, 3.335], [90, 3.345],
      [95, 3.36], [98, 3.4], [100, 3.5]],
  },
  NMC: {
    label: ['NMC', 'NMC'],
    cells: { lowestMinMv: 3000, highestMinMv: 3500, lowestMaxMv: 4000, highestMaxMv: 4250, usualMinMv: 3300, usualMaxMv: 4150, nominalMv: 3700 },
    possible: { cellMv: [1500, 4600], packV: [2.5, 4.4] },
    over:  [warning(4.2, 4.15), critical(4.25, 4.18, latches)],
    under: [warning(3.3, 3.4),  critical(3.0,  3.2,  latches)],
    curve: [[0, 3.2], [5, 3.4], [10, 3.48], [20, 3.56], [30, 3.6], [40, 3.63], [50, 3.67], [60, 3.74], [70, 3.83], [80, 3.92], [90, 4.02],
      [95, 4.06], [100, 4.11]],
  },
  LTO: {
    label: ['LTO', 'LTO'],
    cells: { lowestMinMv: 1500, highestMinMv: 2000, lowestMaxMv: 2400, highestMaxMv: 2850, usualMinMv: 1800, usualMaxMv: 2700, nominalMv: 2300 },
    possible: { cellMv: [1000, 3300], packV: [1.3, 3] },
    over:  [warning(2.7, 2.65), critical(2.8, 2.7, latches)],
    under: [warning(1.7, 1.8),  critical(1.5, 1.7, latches)],
    curve: [[0, 1.9], [10, 2.15], [50, 2.3], [90, 2.45], [100, 2.6]],
  },
  LEAD_ACID: {
    label: ['Lead-acid', 'Свинцово-кислотная'],
    cells: { lowestMinMv: 1750, highestMinMv: 2000, lowestMaxMv: 2300, highestMaxMv: 2500, usualMinMv: 1850, usualMaxMv: 2400, nominalMv: 2000 },
    possible: { cellMv: [1000, 3000], packV: [1.5, 2.7] },
    over:  [warning(2.4,  2.35), critical(2.5,  2.4,  latches)],
    under: [warning(1.85, 1.9),  critical(1.75, 1.85, latches)],
    curve: [[0, 1.9], [20, 1.97], [50, 2.03], [80, 2.09], [100, 2.15]],
  },
} as const satisfies Record<string, ChemistryRow>

export type Chemistry = keyof typeof chemistries

/** A board without a site is taken for one of these cells. */
export const usualChemistry = 'LFP' satisfies Chemistry

const isChemistry = (name: string): name is Chemistry => Object.hasOwn(chemistries, name)

export const chemistryNames: readonly Chemistry[] = Object.keys(chemistries).filter(isChemistry)

/** The row of a chemistry; undefined for an unknown name. */
export const chemistryOf = (name: string | null | undefined): ChemistryRow | undefined =>
  name && isChemistry(name) ? chemistries[name] : undefined

/** The choices of a form. */
export const chemistryLabels = {
  LFP: chemistries.LFP.label,
  NMC: chemistries.NMC.label,
  LTO: chemistries.LTO.label,
  LEAD_ACID: chemistries.LEAD_ACID.label,
} as const satisfies Record<Chemistry, Label>
