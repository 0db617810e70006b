import { type Channel, channelNames, factsOf } from '#resources/fleet/channel-of.ts'
import { type ChartPanel, chartPanels } from '#resources/fleet/channel-panels.ts'
import type { Label } from '#schema/words.ts'
import type { LineColor } from '#ui/chart/chart-colors.ts'

/** `mirrored`: drawn below zero, since it limits what is below zero. */
type Line = { channel: Channel; color: LineColor; dash?: readonly number[]; mirrored?: true }

/** Channels that are read together: one chart, one unit. */
export type Panel = {
  key: ChartPanel
  label: Label
  lines: readonly Line[]
  note?: Label
  kind?: 'bar' | 'lane'
  range?: readonly [min: number, max: number]
  hasZero?: true
  isTall?: true
}

const dashes = { fine: [4, 3], faint: [1, 4] } as const

const linesOf = (key: ChartPanel): Line[] =>
  channelNames
    .flatMap((channel) => {
      const { chart } = factsOf(channel)
      return chart?.panel === key ? [{ channel, ...chart }] : []
    })
    .toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))
    .map(({ channel, color, dash, mirrored }) => ({
      channel,
      color,
      ...(dash && { dash: dashes[dash] }),
      ...(mirrored && { mirrored }),
    }))

const isPanel = (key: string): key is ChartPanel => Object.hasOwn(chartPanels, key)

/** The charts from the top down. */
export const panels: readonly Panel[] = Object.keys(chartPanels)
  .filter(isPanel)
  .map((key) => ({ key, ...chartPanels[key], lines: linesOf(key) }))

/** Every channel that a chart can show, in the order of the panels. */
export const chartChannels: readonly Channel[] = panels.flatMap(({ lines }) => lines.map(({ channel }) => channel))

/** Shown by default. */
export const usualChannels: readonly Channel[] = chartChannels.filter((name) => factsOf(name).chart?.usual)

/** The panels with the chosen channels only; those without one are left out. */
export const panelsOf = (channels: readonly Channel[]): Panel[] =>
  panels.flatMap((panel) => {
    const lines = panel.lines.filter(({ channel }) => channels.includes(channel))
    return lines.length > 0 ? [{ ...panel, lines }] : []
  })
