import {
  crcBytes,
  type FrameType,
  headerBytes,
  maxPayloadBytes,
  protocolVersion,
  typeCode,
} from '#server/frames/frame-layout.ts'
import { codeLists, frameTypes, ownLayouts, placedFields } from './layouts.ts'

const constant = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()
const types = Object.keys(frameTypes) as FrameType[]
const statusCount = placedFields('HEARTBEAT').length

const offsets = (prefix: string, fields: ReturnType<typeof placedFields>) =>
  fields.flatMap(({ name, at, kind, digits = 0, unit }) => {
    const facts = [kind, digits ? `× ${10 ** digits}` : '', unit ?? ''].filter(Boolean).join(' ')
    return at === undefined ? [] : [`#define ${prefix}_${constant(name)}_AT ${at} /* ${facts} */`]
  })

/** Names of products have hyphens. */
const macro = (name: string) => name.replaceAll('-', '_')

const codes = ({ name, options }: { name: string; options: readonly string[] }) => [
  `enum ess_${constant(name).toLowerCase()} {`,
  ...options.map((option, index) => `  ESS_${constant(name)}_${macro(option)} = ${index},`),
  '};',
]

/** The same for C: offsets count from the first byte of a frame. */
export const protocolHeader = (): string =>
  [
    `/* The protocol of boards, version ${protocolVersion}: see device-protocol.md. Made by npm run protocol. */`,
    '#ifndef ESS_DEVICE_PROTOCOL_H',
    '#define ESS_DEVICE_PROTOCOL_H',
    '',
    '#define ESS_MAGIC_0 0xE5',
    '#define ESS_MAGIC_1 0x5A',
    `#define ESS_PROTOCOL_VERSION ${protocolVersion}`,
    '#define ESS_VERSION_AT 2',
    '#define ESS_TYPE_AT 3',
    '#define ESS_SEQ_AT 4',
    '#define ESS_UID_AT 6',
    '#define ESS_TIME_AT 12',
    '#define ESS_LENGTH_AT 16',
    `#define ESS_PAYLOAD_AT ${headerBytes}`,
    `#define ESS_CRC_BYTES ${crcBytes}`,
    `#define ESS_MAX_PAYLOAD ${maxPayloadBytes}`,
    '#define ESS_CRC_POLYNOMIAL 0x1021',
    '#define ESS_CRC_INITIAL 0xFFFF',
    '',
    '#define ESS_MISSING_U8 0xFFu',
    '#define ESS_MISSING_U16 0xFFFFu',
    '#define ESS_MISSING_U32 0xFFFFFFFFu',
    '#define ESS_MISSING_U64 0xFFFFFFFFFFFFFFFFull',
    '#define ESS_MISSING_I16 (-32767 - 1)',
    '#define ESS_MISSING_I32 (-2147483647 - 1)',
    '#define ESS_MISSING_CODE 0xFFu',
    '',
    'enum ess_frame_type {',
    ...types.map((type) => `  ESS_TYPE_${type} = ${typeCode(type)},`),
    '};',
    '',
    ...codeLists().flatMap((list) => [...codes(list), '']),
    ...offsets('ESS_STATUS', placedFields('HEARTBEAT')),
    ...types.flatMap((type) => ['', ...offsets(`ESS_${type}`, placedFields(type).slice(statusCount))]),
    ...ownLayouts.flatMap(({ product, version, type, fields }) => [
      '',
      `/* ${product}, version ${version} */`,
      ...offsets(`${macro(product)}_${type}`, fields.slice(statusCount)),
    ]),
    '',
    '#endif',
    '',
  ]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
