import type { useSay } from '#fields/definitions.tsx'
import type { SummaryCharts } from '#schema/wire/summary.ts'
import { channelText } from '#widgets/telemetry/channel-text.ts'
import type { useChartTexts } from './chart-texts.ts'
import { chartWords } from './chart-words.ts'
import type { powerChannels } from './power-channels.ts'

type Hour = SummaryCharts['power'][number]
type Texts = { sayLabel: ReturnType<typeof useSay>; texts: ReturnType<typeof useChartTexts> }

/** A sum of an hour, with the number of its systems where not all of them measure it. */
export function powerText(hour: Hour, name: (typeof powerChannels)[number], { sayLabel, texts }: Texts): string {
  const sum = channelText(name, hour[name], texts.language) || '—'
  const [count, systems] = [hour.measured[name], hour.systems].map(texts.count)
  return hour.measured[name] < hour.systems ? `${sum} (${sayLabel(chartWords.ofSystems, { count, systems })})` : sum
}
