import { useMemo } from 'react'
import { useConsole, useSay } from '#fields/definitions.tsx'
import { formatNumber } from '#schema/format.ts'
import { units } from '#schema/units.ts'
import type { Threshold, ThresholdLevel, ThresholdSeverity } from '#schema/warnings/threshold.ts'

const isUnit = (unit: string): unit is keyof typeof units => Object.hasOwn(units, unit)
const digitsOf = (value: number) => (/\.(\d+)/.exec(String(value))?.[1] ?? '').length

/** How thresholds are written in the language of the screen. */
export function useThresholdWords() {
  const sayLabel = useSay()
  const { definitions, language } = useConsole()
  return useMemo(() => {
    const { severity } = definitions.get('telemetry-warning')?.fields ?? {}
    const stateOf = (name: ThresholdSeverity) => (severity?.type === 'status' ? severity.states[name] : undefined)
    const numberText = (value: number) => formatNumber(value, Math.min(3, digitsOf(value)), language)
    const unitText = ({ unit }: Threshold) => (isUnit(unit) ? sayLabel(units[unit].symbol) : unit)
    const nameOf = ({ title, chemistry }: Threshold) => (chemistry ? `${sayLabel(title)}, ${chemistry}` : sayLabel(title))
    return {
      nameOf,
      numberText,
      unitText,
      severityText: (name: ThresholdSeverity) => {
        const state = stateOf(name)
        return state ? sayLabel(state.label) : name
      },
      toneOf: (name: ThresholdSeverity) => stateOf(name)?.tone ?? 'idle',
      levelText: (of: Threshold, { raise, clear }: ThresholdLevel) =>
        `${numberText(raise)} / ${numberText(clear)} ${unitText(of)}`.trim(),
      valueText: (of: Threshold, value: number) => `${formatNumber(value, 2, language)} ${unitText(of)}`.trim(),
    }
  }, [sayLabel, definitions, language])
}
