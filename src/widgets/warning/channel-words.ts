import { type Channel, factsOf } from '#resources/fleet/channel-of.ts'
import type { Language } from '#schema/words.ts'
import { type ChannelValue, channelText } from '#widgets/telemetry/channel-text.ts'
import { subjectText } from './subject-text.ts'

/** A channel's value as text, including cell positions. */
export const channelWords = (name: Channel, value: ChannelValue, language: Language): string =>
  factsOf(name).wire[2] === 'place' ? (subjectText(value, language) ?? '') : channelText(name, value, language)
