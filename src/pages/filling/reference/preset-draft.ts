import {
  type CellPreset,
  type CellValue,
  type ChemistryPreset,
  cellNames,
  presetFaults,
} from '#resources/fleet/chemistry-preset.ts'
import type { Label } from '#schema/words.ts'

/** Input texts of an edited preset. */
export type PresetDraft = { chemistry: string; texts: Readonly<Record<CellValue, string>> }

/** Builds a record with an entry per cell value. */
function each<T>(of: (name: CellValue) => T): Record<CellValue, T> {
  return {
    lowestMinMv: of('lowestMinMv'),
    highestMinMv: of('highestMinMv'),
    lowestMaxMv: of('lowestMaxMv'),
    highestMaxMv: of('highestMaxMv'),
    usualMinMv: of('usualMinMv'),
    usualMaxMv: of('usualMaxMv'),
    nominalMv: of('nominalMv'),
  }
}

export const presetDraftOf = ({ chemistry, ...preset }: CellPreset & { chemistry: string }): PresetDraft => ({
  chemistry,
  texts: each((name) => String(preset[name])),
})

/** True when an input no longer has the text that it began with. */
export const isEdited = ({ chemistry, texts }: PresetDraft, presets: readonly ChemistryPreset[]): boolean => {
  const preset = presets.find((each) => each.chemistry === chemistry)
  return !preset || cellNames.some((name) => texts[name] !== String(preset[name]))
}

const numberIn = (text: string) => (/^\d{1,5}$/.test(text.trim()) ? Number(text.trim()) : Number.NaN)

type Read = { preset?: CellPreset; faults: ReadonlyMap<CellValue, Label> }

/** Parsed values of the inputs, or faults by value. */
export function readPreset({ texts }: PresetDraft): Read {
  const preset = each((name) => numberIn(texts[name]))
  const faults = presetFaults(preset)
  return faults.size > 0 ? { faults } : { faults, preset }
}

export const withText = (draft: PresetDraft, name: CellValue, text: string): PresetDraft => ({
  ...draft,
  texts: { ...draft.texts, [name]: text },
})

/** Names of differing values. */
export const changedCells = (one: CellPreset, other: CellPreset): CellValue[] =>
  cellNames.filter((name) => one[name] !== other[name])
