import { createHash } from 'node:crypto'
import { dayMs } from '#schema/format/durations.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { buildImage, readImageHeader } from '#server/fleet/firmware/image-header.ts'
import type { Random } from './random.ts'

const releases = [
  {
    firmwareVersion: '1.8.2',
    hardwareRevisions: ['A1', 'A2'],
    status: 'DEPRECATED',
    ageDays: 700,
    notes: 'First version with LTE.',
  },
  {
    firmwareVersion: '1.9.4',
    hardwareRevisions: ['A1', 'A2'],
    status: 'RELEASED',
    ageDays: 420,
    notes: 'Better time keeping; fewer reboots on weak supply.',
  },
  {
    firmwareVersion: '2.0.0',
    hardwareRevisions: ['B1', 'B2'],
    status: 'REVOKED',
    ageDays: 300,
    notes: 'New radio driver.',
    statusReason: 'Loses packets after 49 days of uptime',
  },
  {
    firmwareVersion: '2.1.3',
    hardwareRevisions: ['B1', 'B2'],
    status: 'RELEASED',
    ageDays: 150,
    notes: 'Mends the radio driver. Asked of every board with 2.0.0.',
    mandatory: true,
  },
  {
    firmwareVersion: '2.2.0',
    hardwareRevisions: ['B1', 'B2'],
    minFromVersion: '2.0.0',
    status: 'TESTING',
    ageDays: 20,
    notes: 'Balancing starts earlier and ends softer.',
  },
  {
    firmwareVersion: '2.3.0',
    hardwareRevisions: ['B1', 'B2'],
    minFromVersion: '2.1.0',
    status: 'DRAFT',
    ageDays: 2,
    notes: 'Schedules of up to eight entries.',
  },
] as const

export type DemoFirmware = { records: Row[]; files: { firmwareId: string; content: Buffer }[] }

/** Six versions with real images: header, payload and CRC as a board checks them. */
export function demoFirmware(random: Random, now: Date, uploadedBy: unknown): DemoFirmware {
  const made: DemoFirmware = { records: [], files: [] }
  for (const release of releases) {
    const { ageDays, notes, ...facts } = release
    const createdAt = new Date(now.getTime() - ageDays * dayMs)
    const content = buildImage({ ...facts, payload: random.bytes(random.int(48_000, 96_000)) })
    const read = readImageHeader(content, content.length)
    const id = random.id(createdAt)
    const crc32 = 'header' in read ? read.header.crc32.toString(16).padStart(8, '0') : ''
    const file = {
      name: `ess-pcb_${facts.hardwareRevisions[0]}_v${facts.firmwareVersion}.bin`,
      sizeBytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      crc32,
    }
    made.records.push({
      id,
      createdAt,
      updatedAt: createdAt,
      createdBy: uploadedBy,
      uploadedBy,
      file,
      releaseNotes: notes,
      mandatory: false,
      ...facts,
    })
    made.files.push({ firmwareId: id, content })
  }
  return made
}
