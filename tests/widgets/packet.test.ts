import { describe, expect, it } from 'vitest'
import { factsOf, isChannel } from '#resources/fleet/channel-of.ts'
import { flagCodes, flagsOf } from '#resources/fleet/warnings/warning-codes.ts'
import { warnings } from '#resources/fleet/warnings/warnings.ts'
import { resources } from '#resources/index.ts'
import { packageControl, packageReasons, packageTypes } from '#resources/package.ts'
import { definitionsOf } from '#schema/definition.ts'
import { channels, measuredFields, statusFields } from '#server/frames/channels.ts'
import type { FrameType } from '#server/frames/frame-layout.ts'
import { firstLayout } from '#server/frames/layouts.ts'
import { codesOf, decode, noon, telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { factText } from '#widgets/packet/fact-text.ts'
import { fieldLabel } from '#widgets/packet/field-words.ts'
import { frameChoices } from '#widgets/packet/frame-choices.ts'
import { changedBytes, fieldsByByte, markOfField, marksOf, type Packet, packetOf } from '#widgets/packet/packet-data.ts'
import { reasonWords } from '#widgets/packet/reason-words.ts'
import { codeText, valueText } from '#widgets/packet/value-text.ts'

const choices = frameChoices(packageControl, definitionsOf(resources))

/** Answer of the API for a frame. */
function packetFrom(bytes: Buffer): Packet {
  const { fields, reasons } = decode(bytes)
  const wire = JSON.parse(JSON.stringify({ raw: bytes.toString('hex'), fields, reasons }))
  const packet = packetOf(wire)
  if (!packet) throw new Error('the record has no bytes')
  return packet
}
const flipped = (bytes: Buffer, at: number) => {
  bytes[at] = (bytes[at] ?? 0) ^ 4
  return bytes
}
const nameAt = (packet: Packet, at: number) => packet.fields[fieldsByByte(packet)[at] ?? -1]?.name

describe('a packet under the microscope', () => {
  it('knows the field of every byte', () => {
    const packet = packetFrom(telemetryFrame())
    expect(fieldsByByte(packet).includes(undefined)).toBe(false)
    expect([0, 1, 3, 12, packet.bytes.length - 1].map((at) => nameAt(packet, at))).toEqual([
      'magic',
      'magic',
      'type',
      'deviceTime',
      'crc',
    ])
  })

  it('has no doubtful byte when it is sound', () => {
    expect(marksOf(packetFrom(telemetryFrame())).size).toBe(0)
  })

  it('marks the checksum and the byte whose flipped bit explains it, and the field of that byte', () => {
    const packet = packetFrom(flipped(telemetryFrame(), 52))
    const { length } = packet.bytes
    const marks = marksOf(packet)
    expect([...marks]).toEqual([
      [length - 2, 'bad'],
      [length - 1, 'bad'],
      [52, 'bad'],
    ])
    const marked = packet.fields.filter((field) => markOfField(field, marks)).map(({ name }) => name)
    expect(marked).toEqual(['batteryVoltageV', 'crc'])
  })

  it('marks what is doubted otherwise than what is wrong', () => {
    const packet = packetFrom(telemetryFrame({ cellVoltageMinMv: 9900 }))
    expect(new Set(marksOf(packet).values())).toEqual(new Set(['warn']))
  })

  it('tells which bytes another packet has otherwise', () => {
    const [one, other] = [packetFrom(telemetryFrame()), packetFrom(telemetryFrame({ socPct: 63.5 }))]
    const changed = [...changedBytes(one, other)].map((at) => nameAt(one, at))
    expect(new Set(changed)).toEqual(new Set(['socPct', 'crc']))
  })

  it('is not there before its bytes are', () => {
    expect(packetOf({ id: '1', status: 'VALID' })).toBeUndefined()
    expect(packetOf({ raw: '' })).toEqual({ bytes: [], fields: [], reasons: [] })
  })
})

describe('the words of packets', () => {
  it('explain every reason', () => {
    expect(Object.keys(reasonWords).toSorted()).toEqual(Object.keys(packageReasons).toSorted())
  })

  it('name every field of every frame', () => {
    const types = Object.keys(packageTypes).filter((type) => type !== 'UNKNOWN') as FrameType[]
    const ofHead = packetFrom(telemetryFrame()).fields
    const fields = [...ofHead, ...types.flatMap(firstLayout.fieldsOf), ...channels].map(({ name }) => name)
    expect(fields.filter((name) => fieldLabel(name)[0] === name)).toEqual([])
  })

  it('know each channel with the unit and the states that the board has', () => {
    for (const channel of [...measuredFields, ...statusFields, ...channels]) {
      if (!isChannel(channel.name)) continue
      const { unit, states } = factsOf(channel.name)
      const own = 'unit' in channel ? channel.unit : undefined
      expect([channel.name, unit]).toEqual([channel.name, own])
      if ('options' in channel) expect(Object.keys(states ?? {})).toEqual(channel.options)
    }
    expect(channels.map(({ name }) => name).filter((name) => !isChannel(name))).toEqual([])
  })

  it('name every flag that the server understands', () => {
    for (const code of flagCodes) expect(flagsOf(2 ** warnings[code].flag.bit)[0]?.[0]).not.toContain('bit')
    expect(flagsOf(2 ** 31 + 2)).toEqual([
      ['bit 1', 'бит 1'],
      ['bit 31', 'бит 31'],
    ])
  })

  it('are there for every code that a board sends', () => {
    const types = Object.keys(packageTypes).filter((type) => type !== 'UNKNOWN') as FrameType[]
    const coded = types.flatMap(firstLayout.fieldsOf).filter(({ kind }) => kind === 'code')
    expect(coded.length).toBeGreaterThan(6)
    const wordless = coded.flatMap(({ name, options = [] }) =>
      options.filter((value) => codeText({ name, value, raw: '00' }, choices) !== value).map((value) => `${name} ${value}`),
    )
    expect(wordless).toEqual([])
  })

  it('stand beside the code, and beside the bits of flags', () => {
    const codeOf = (name: string, value: unknown, raw = '03') => codeText({ name, value, raw }, choices)
    expect(codeOf('chargeState', 'CHARGING')).toBe('CHARGING')
    expect(codeOf('eventFlags', 2 ** 23, '00800000')).toBe('0x00800000')
    expect(codeOf('eventFlags', null, 'ffffffff')).toBeUndefined()
    expect(codeOf('socPct', 63.5, '027b')).toBeUndefined()
    expect(codeOf('firmwareVersion', '2.14.0')).toBeUndefined()
  })

  it('say values with their unit and the meaning of their sign, and nothing where nothing was sent', () => {
    const said = (name: string, value: unknown) =>
      (['en', 'ru'] as const).map((language) => valueText({ name, value }, language, choices).replaceAll('\u00a0', ' '))
    expect(said('batteryPowerW', -1536)).toEqual(['charging 1,536 W', 'заряд 1 536 Вт'])
    expect(said('gridPowerW', 164)).toEqual(['import 164 W', 'из сети 164 Вт'])
    expect(said('chargeState', 'CHARGING')).toEqual(['Charging', 'Заряд'])
    expect(said('resetReason', 'BROWNOUT')).toEqual(['Brown-out', 'Просадка питания'])
    expect(said('state', 'ROLLED_BACK')).toEqual(['Rolled back', 'Откат'])
    expect(said('failure', 'LOW_SOC')).toEqual(['Charge too low', 'Слишком низкий заряд'])
    expect(said('product', 'ESS-LINK')).toEqual(['Link board', 'Плата связи'])
    expect(said('result', 'REJECTED')).toEqual(['Refused', 'Отклонена'])
    expect(said('type', 'BOOT')).toEqual(['Start of the board', 'Запуск платы'])
    expect(said('freeHeapB', 2048)).toEqual(['2.0 KB', '2,0 КБ'])
    expect(said('raisedFlags', 2 ** 23)).toEqual(['Door open', 'Открыта дверь'])
    expect(said('socPct', null)).toEqual(['', ''])
    expect(said('deviceTime', noon.toISOString())[0]).toBe('2026-03-02 12:00:00 UTC')
  })

  it('translate what the decoder expected and found', () => {
    const said = (text: string) => factText(text, 'ru')
    expect(said('1548.16 W ± 250 W')).toBe('1548,16 Вт ± 250 Вт')
    expect(said('≥ 20 bytes')).toBe('≥ 20 байт')
    expect(said('256 × 3280 mV')).toBe('256 × 3280 мВ')
    expect(said('12 (7 missing)')).toBe('12 (пропущено 7)')
    expect(said('≤ 2026-03-02T12:05:00.000Z')).toBe('≤ 2026-03-02 12:05:00 UTC')
    expect(factText('1548.16 W', 'en')).toBe('1548.16 W')
  })

  it('leave no English in what the decoder says of doubts', () => {
    const { reasons } = decode(telemetryFrame({ socPct: 130, cellVoltageMinMv: 9900, batteryCurrentA: 90 }), {
      site: undefined,
    })
    expect(codesOf(decode(telemetryFrame(), { site: undefined }))).toEqual(['NOT_ATTACHED'])
    for (const { expected, actual } of reasons) expect(factText(`${expected} ${actual}`, 'ru')).not.toMatch(/[a-z]/i)
  })
})
