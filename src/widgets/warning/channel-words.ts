import { cellPlace } from '#resources/fleet/cell-place.ts'
import { type Channel, factsOf } from '#resources/fleet/channel-of.ts'
import { wordedText } from '#schema/format/worded-text.ts'
import type { Language } from '#schema/words.ts'
import { type ChannelValue, channelText } from '#widgets/telemetry/channel-text.ts'

/** A channel's value as text, including cell positions. */
export const channelWords = (name: Channel, value: ChannelValue, language: Language): string =>
  factsOf(name).wire[2] === 'place' && typeof value === 'string'
    ? wordedText(cellPlace, value, language)
    : channelText(name, value, language)
