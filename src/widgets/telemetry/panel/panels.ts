import { type Channel, channelNames, factsOf } from '#resources/fleet/channel-of.ts'
import { type ChartPanel, chartPanels } from '#resources/fleet/channel-panels.ts'
import type { Label } from '#schema/words.ts'
import type { LineColor } from '#ui/chart/chart-colors.ts'

/** `mirrored`: drawn below zero, as the limit of negative values. */
type Line = { channel: Channel; color: LineColor; dash?: readonly number[]; mirrored?: true }

/** Channels of one chart with a common unit. */
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

/** Panels in display order. */
export const panels: readonly Panel[] = Object.keys(chartPanels)
  .filter(isPanel)
  .map((key) => ({ key, ...chartPanels[key], lines: linesOf(key) }))

/** All channels of the charts, in panel order. */
export const chartChannels: readonly Channel[] = panels.flatMap(({ lines }) => lines.map(({ channel }) => channel))

/** Shown by default. */
export const usualChannels: readonly Channel[] = chartChannels.filter((name) => factsOf(name).chart?.usual)

/** Panels reduced to the selected channels; empty ones are omitted. */
export const panelsOf = (channels: readonly Channel[]): Panel[] =>
  panels.flatMap((panel) => {
    const lines = panel.lines.filter(({ channel }) => channels.includes(channel))
    return lines.length > 0 ? [{ ...panel, lines }] : []
  })
