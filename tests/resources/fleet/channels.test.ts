import { describe, expect, it } from 'vitest'
import { channelNames, factsOf, isChannel } from '#resources/fleet/channel-of.ts'
import type { WirePart } from '#resources/fleet/channel-row.ts'
import { configurationFields } from '#resources/shared/configuration.ts'
import { fieldAt } from '#schema/definition.ts'
import { migrations } from '#server/app/migrations.ts'
import { sampleRules } from '#server/fleet/warning/sample-rules.ts'
import { statusFields } from '#server/frames/channels.ts'
import { codecs } from '#server/frames/wire-field.ts'

/** Columns of a channel in `telemetry` and in the tables that it is rolled up into. */
const columnsOf = {
  mean: (name: string) => [name, `${name}Avg`, `${name}Min`, `${name}Max`],
  counter: (name: string) => [name, `${name}Sum`],
  state: (name: string) => [name, `${name}Last`],
  flags: (name: string) => [name, `${name}Any`],
  none: (name: string) => [name],
} as const

const written = migrations.map(({ up }) => (typeof up === 'string' ? up : '')).join('\n')

describe('the rows of telemetry channels', () => {
  it.each(channelNames)('%s has its columns in a step of server/app/migrations.ts', (name) => {
    const missing = columnsOf[factsOf(name).rollUp](name).filter((column) => !written.includes(`"${column}"`))
    expect(missing).toEqual([])
  })

  it('follow one another on the wire without a gap, from the first byte of their part', () => {
    const widthOf = (kind: keyof typeof codecs) => codecs[kind].width ?? Number.NaN
    const endOf = (fields: readonly { name: string; offset: number; kind: keyof typeof codecs }[]) =>
      fields.reduce((end, { name, offset, kind }) => {
        expect([name, offset]).toEqual([name, end])
        return end + widthOf(kind)
      }, 0)
    const part = (of: WirePart) =>
      channelNames
        .filter((name) => factsOf(name).wire[0] === of)
        .map((name) => ({ name, offset: factsOf(name).wire[1], kind: factsOf(name).wire[2] }))
        .toSorted((a, b) => a.offset - b.offset)
    expect(endOf(part('sample'))).toBeGreaterThanOrEqual(123)
    expect(endOf(statusFields)).toBe(24)
  })

  it.each(channelNames)('%s has a normal range only of settings, channels and thresholds that there are', (name) => {
    const { normal } = factsOf(name)
    if (!normal) return
    if ('warning' in normal) {
      expect(sampleRules.map(({ code }) => code)).toContain(normal.warning)
      return
    }
    for (const bound of [...normal.bounds, ...(normal.whileCharging ?? [])]) {
      const [source, path = ''] = (bound ?? '').replace(/^-/, '').split('.')
      expect(
        bound === null || (source === 'setting' ? fieldAt(configurationFields, path) !== undefined : isChannel(path)),
      ).toBe(true)
    }
  })
})
