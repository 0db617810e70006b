import { fieldText } from '#fields/field-text.ts'
import { cellPlace } from '#resources/fleet/cell-place.ts'
import { type Channel, factsOf } from '#resources/fleet/channel-of.ts'
import { flagsOf } from '#resources/fleet/warnings/warning-codes.ts'
import { formatDuration, formatNumber } from '#schema/format/format.ts'
import { wordedText } from '#schema/format/worded-text.ts'
import { type Language, say } from '#schema/words.ts'

export type ChannelValue = number | string | null

const noFlags = ['none', 'нет'] as const

export type ChannelTextOptions = {
  /** Keeps the channel's unit instead of kW or MWh. */
  exact?: boolean
  /** Without the word for the sign, such as "charging". */
  bare?: boolean
}

function quantityText(name: Channel, value: number, language: Language, exact: boolean): string {
  const { label, unit, digits = 0 } = factsOf(name)
  if (unit === 's') return formatDuration(value, language)
  if (!unit) return formatNumber(value, digits, language)
  return fieldText({ type: 'quantity', label, unit, digits, ...(exact ? { scale: 'none' } : {}) }, value, { language })
}

/** A channel's value as text: “charging 2.10 kW”, “Standby”, “module 2, cell 3”; empty when not measured. */
export function channelText(
  name: Channel,
  value: ChannelValue,
  language: Language,
  { exact = false, bare = false }: ChannelTextOptions = {},
): string {
  if (value === null) return ''
  const { signs, states, rollUp, wire } = factsOf(name)
  if (typeof value === 'string') {
    if (wire[2] === 'place') return wordedText(cellPlace, value, language)
    return states?.[value] ? say(states[value], language) : value
  }
  if (rollUp === 'flags') {
    return (
      flagsOf(value)
        .map((flag) => say(flag, language))
        .join(', ') || say(noFlags, language)
    )
  }
  const size = quantityText(name, signs ? Math.abs(value) : value, language, exact)
  return signs && value !== 0 && !bare ? `${say(signs[value > 0 ? 0 : 1], language)} ${size}` : size
}

/** Minimum and maximum as text: “1.90 – 2.40 kW”, with the words for the signs where these differ. */
export function bandText(name: Channel, low: number, high: number, language: Language): string {
  const { signs } = factsOf(name)
  const bare = !signs || low * high >= 0
  const isBelow = signs && low + high < 0
  const [first, last] = bare && isBelow ? [high, low] : [low, high]
  return [first, last].map((value) => channelText(name, value, language, { bare })).join(' – ')
}
