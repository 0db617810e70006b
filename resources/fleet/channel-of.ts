import type { ChannelRow, RollUp, WirePart } from './channel-row.ts'
import { channels } from './channels.ts'

export type Channel = keyof typeof channels

/** Channels of one part of the payload. */
export type ChannelIn<Part extends WirePart> = {
  [Name in Channel]: (typeof channels)[Name]['wire'] extends readonly [Part, ...unknown[]] ? Name : never
}[Channel]

/** Channels with one kind of roll-up. */
export type ChannelRolled<Kind extends RollUp> = {
  [Name in Channel]: (typeof channels)[Name]['rollUp'] extends Kind ? Name : never
}[Channel]

export const isChannel = (name: string): name is Channel => Object.hasOwn(channels, name)

export const factsOf = (name: Channel): ChannelRow => channels[name]

export const channelNames: readonly Channel[] = Object.keys(channels).filter(isChannel)
