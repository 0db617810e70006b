import { productNames } from '#resources/shared/products.ts'
import { measuredFields, type statusFields } from './channels.ts'
import type { WireField } from './wire-field.ts'

/*
 * Frame, big endian: 0 magic E5 5A, 2 version, 3 type, 4 seq (u16), 6 uid (6 bytes), 12 time (u32, Unix seconds), 16 payload
 * length (u16), 18 payload, then a CRC-16/CCITT-FALSE of all preceding bytes.
 */
export const magic = Buffer.from([0xe5, 0x5a])
/** Current protocol version of boards. */
export const protocolVersion = 1
export const headerBytes = 18
export const crcBytes = 2
export const emptyFrameBytes = headerBytes + crcBytes
/** Longer payloads are refused: no board sends one, and a corrupt length must not swallow the following frames. */
export const maxPayloadBytes = 16_384

const updateStates = [
  'QUEUED',
  'DOWNLOADING',
  'VERIFYING',
  'INSTALLING',
  'REBOOTING',
  'CONFIRMING',
  'SUCCEEDED',
  'FAILED',
  'ROLLED_BACK',
  'CANCELED',
] as const

const updateFailures = [
  'OFFLINE',
  'NO_SPACE',
  'CHECKSUM',
  'SIGNATURE',
  'INCOMPATIBLE',
  'FLASH',
  'BOOT_LOOP',
  'LOW_SOC',
  'LOW_SUPPLY',
  'TIMEOUT',
  'USER',
] as const

/** Versions are counted by the server; its database holds none above. */
const highestVersion = 2 ** 31 - 1

const payloads = {
  TELEMETRY: measuredFields,
  HEARTBEAT: [],
  /** Flags raised or cleared between two samples; `subject` is the affected cell. */
  EVENT: [
    { name: 'eventFlags', kind: 'u32' },
    { name: 'raisedFlags', kind: 'u32' },
    { name: 'clearedFlags', kind: 'u32' },
    { name: 'subject', kind: 'place' },
    { name: 'value', kind: 'i32', digits: 1 },
  ],
  /** `REPORTED`: the running configuration, sent unrequested after a start or a local change. */
  CONFIG_ACK: [
    { name: 'configVersion', kind: 'u32', most: highestVersion },
    { name: 'result', kind: 'code', options: ['APPLIED', 'REJECTED', 'REPORTED'] },
    { name: 'rejectReason', kind: 'text' },
    { name: 'configuration', kind: 'json' },
  ],
  FW_PROGRESS: [
    { name: 'updateId', kind: 'uuid' },
    { name: 'state', kind: 'code', options: updateStates },
    { name: 'progressPct', kind: 'u8', unit: '%' },
    { name: 'receivedB', kind: 'u32' },
    { name: 'failure', kind: 'code', options: updateFailures },
    { name: 'toVersion', kind: 'version' },
  ],
  BOOT: [
    { name: 'bootloaderVersion', kind: 'version' },
    { name: 'previousVersion', kind: 'version' },
    { name: 'hardwareRevision', kind: 'letters' },
    { name: 'product', kind: 'code', options: productNames, isLater: true },
  ],
} as const satisfies Record<string, readonly WireField[]>

export type FrameType = keyof typeof payloads
type StatusName = (typeof statusFields)[number]['name']
export type FieldName<T extends FrameType> = StatusName | (typeof payloads)[T][number]['name']

const frameTypes = ['TELEMETRY', 'HEARTBEAT', 'EVENT', 'CONFIG_ACK', 'FW_PROGRESS', 'BOOT'] as const satisfies FrameType[]

/** On the wire a type is its 1-based position in the list. */
export const typeCode = (type: FrameType): number => frameTypes.indexOf(type) + 1
export const typeOfCode = (code: number): FrameType | undefined => frameTypes[code - 1]

/** The payload after the board's status, in version 1 of the control board. */
export const ownFields: Readonly<Record<FrameType, readonly WireField[]>> = payloads
