import { useMemo } from 'react'
import { useConsole, useSay } from '#fields/definitions.tsx'
import type { Bounds, Severity } from '#resources/fleet/warnings/levels.ts'
import { boundsOn, type Side, sidesOf, type Threshold, type ThresholdLevel } from '#resources/fleet/warnings/threshold.ts'
import { choiceLabel } from '#schema/facts/choices.ts'
import { formatNumber } from '#schema/format/format.ts'
import { units } from '#schema/format/units.ts'
import { referenceWords } from './reference-words.ts'

const isUnit = (unit: string): unit is keyof typeof units => Object.hasOwn(units, unit)
const digitsOf = (value: number) => (/\.(\d+)/.exec(String(value))?.[1] ?? '').length

/** Format of thresholds in the current language. */
export function useThresholdWords() {
  const sayLabel = useSay()
  const { definitions, language } = useConsole()
  return useMemo(() => {
    const { severity } = definitions.get('telemetry-warning')?.fields ?? {}
    const stateOf = (name: Severity) => (severity?.type === 'status' ? severity.states[name] : undefined)
    /** All values of a threshold have the decimals of the most precise one. */
    const numberText = ({ levels, standard }: Threshold, value: number) => {
      const bounds = [...levels, ...standard.levels].flatMap((level) => sidesOf(level).map((side) => boundsOn(level, side)))
      const values = bounds.flatMap(({ raise, clear }) => [raise, clear])
      return formatNumber(value, Math.min(3, Math.max(...[value, ...values].map(digitsOf))), language)
    }
    const unitText = ({ unit }: Threshold) => (isUnit(unit) ? sayLabel(units[unit].symbol) : unit)
    const kinds = definitions.get('ess')?.fields.chemistry
    const chemistryText = (name: string) => (kinds?.type === 'enum' ? sayLabel(choiceLabel(kinds, name)) : name)
    const nameOf = ({ title, chemistry }: Threshold) =>
      chemistry ? `${sayLabel(title)}, ${chemistryText(chemistry)}` : sayLabel(title)
    const severityText = (name: Severity) => {
      const state = stateOf(name)
      return state ? sayLabel(state.label) : name
    }
    return {
      nameOf,
      numberText,
      unitText,
      severityText,
      /** The severity, with the side where the bounds of the sides differ. */
      sideText: ({ severity, under }: ThresholdLevel, side: Side) =>
        under ? sayLabel(referenceWords[side], { severity: severityText(severity) }) : severityText(severity),
      toneOf: (name: Severity) => stateOf(name)?.tone ?? 'idle',
      boundsText: (of: Threshold, { raise, clear }: Bounds) =>
        `${numberText(of, raise)} / ${numberText(of, clear)} ${unitText(of)}`.trim(),
      valueText: (of: Threshold, value: number) => `${formatNumber(value, 2, language)} ${unitText(of)}`.trim(),
    }
  }, [sayLabel, definitions, language])
}
