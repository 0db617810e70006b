import { chemistryOf } from '#resources/fleet/chemistries.ts'
import type { Fields } from '#schema/field-types.ts'
import { dayMs, dayS, minuteMs } from '#schema/format/durations.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { defaultConfiguration, usualOf } from '#server/fleet/configuration/configuration-rules.ts'
import type { Random } from './random.ts'

export type DemoBoards = { boards: Row[]; states: Row[]; configurations: Row[]; attachments: Row[] }
type Place = { site: Row | undefined; role: 'MAIN' | 'MODULE' | null; moduleIndex: number | null }

/** A main board per site, modules at large sites, and one board in twelve in stock. */
function placesFor(sites: readonly Row[], count: number): Place[] {
  const standing = sites.filter(({ lifecycle }) => lifecycle === 'IN_OPERATION' || lifecycle === 'COMMISSIONING')
  const mains = standing.slice(0, count).map((site): Place => ({ site, role: 'MAIN', moduleIndex: null }))
  const shelf = Math.min(Math.floor(count / 12), count - mains.length)
  const large = standing.filter(({ profile }) => profile === 'COMMERCIAL')
  const modules = Array.from({ length: Math.max(0, count - mains.length - shelf) }, (_, index): Place => {
    const site = large[index % Math.max(1, large.length)]
    return site
      ? { site, role: 'MODULE', moduleIndex: 1 + Math.floor(index / large.length) }
      : { site: undefined, role: null, moduleIndex: null }
  })
  return [
    ...mains,
    ...modules,
    ...Array.from({ length: shelf }, (): Place => ({ site: undefined, role: null, moduleIndex: null })),
  ]
}

/** Minutes since the last packet and the last valid one; most boards have just reported. */
function silence(random: Random, index: number): { packetMin: number; validMin: number } {
  if (index % 23 === 11) return { packetMin: 1, validMin: random.int(40, 300) }
  if (index % 17 === 9) return { packetMin: random.int(60, 90_000), validMin: random.int(90_000, 100_000) }
  const recent = index % 13 === 4 ? random.int(3, 12) : 0
  return { packetMin: recent, validMin: recent }
}

/** The version that a board had before the one that it runs. */
export const previousOf: Readonly<Record<string, string>> = { '1.9.4': '1.8.2', '2.1.3': '2.0.0', '2.2.0': '2.1.3' }

function stateOf(random: Random, now: Date, board: Row, index: number, version: string): Row {
  const { packetMin, validMin } = silence(random, index)
  const lastValid = new Date(now.getTime() - Math.max(packetMin, validMin) * minuteMs - random.int(0, 50) * 1000)
  return {
    controlPcbId: board.id,
    lastPacketAt: new Date(now.getTime() - packetMin * minuteMs - random.int(0, 20) * 1000),
    lastValidPacketAt: lastValid,
    lastSampleAt: lastValid,
    transport: random.pick(['LTE', 'LTE', 'WIFI', 'ETH']),
    rssiDbm: random.int(-105, -55),
    ip: `10.${random.int(10, 60)}.${random.int(0, 255)}.${random.int(2, 250)}`,
    uptimeS: random.int(600, 90 * dayS),
    rebootCount: random.int(0, 14),
    lastResetReason: random.pick(['POWER_ON', 'POWER_ON', 'SOFTWARE', 'FW_UPDATE', 'WATCHDOG', 'BROWNOUT']),
    supplyMv: random.int(11_700, 12_500),
    boardTempC: random.int(240, 480) / 10,
    freeHeapB: random.int(60_000, 180_000),
    clockOffsetMs: random.chance(0.05) ? random.int(61_000, 400_000) : random.int(-900, 900),
    firmwareVersion: version,
    previousVersion: random.chance(0.6) ? (previousOf[version] ?? null) : null,
    bootloaderVersion: '1.2.0',
    firmwareReportedAt: lastValid,
    reportIntervalS: 60,
  }
}

/** Without cheap night charging a battery would stay at its minimum all winter. */
const modeOf = (index: number) => (index % 4 === 1 ? 'SELF_CONSUMPTION' : 'TIME_OF_USE')

/** Desired and reported configuration: mostly equal, some pending, rejected or changed on site. */
function configured(
  random: Random,
  now: Date,
  board: Row,
  state: Row | undefined,
  index: number,
  chemistry: unknown,
  fields: Fields,
): { configurations: Row[]; state: Row } {
  const first = {
    controlPcbId: board.id,
    version: 1,
    desired: {
      ...defaultConfiguration(fields),
      operatingMode: modeOf(index),
      ...usualOf(chemistryOf(String(chemistry))?.cells),
    },
    reason: null,
    requestedAt: board.createdAt,
    requestedBy: null,
    ...(state ? { outcome: 'APPLIED', outcomeAt: board.createdAt } : {}),
  }
  const second = {
    ...first,
    version: 2,
    desired: { ...first.desired, backupReservePct: 25 },
    reason: 'Winter settings',
    requestedAt: new Date(now.getTime() - random.int(1, 40) * dayMs),
    outcome: null,
    outcomeAt: null,
  }
  const asked = index % 11 === 3 ? [first, second] : [first]
  const applied = {
    reported: first.desired,
    reportedVersion: 1,
    appliedAt: board.createdAt,
    rejectedVersion: null,
    rejectReason: null,
  }
  if (!state) return { configurations: asked.slice(0, 1), state: {} }
  if (index % 33 === 3)
    return { configurations: asked, state: { ...applied, rejectedVersion: 2, rejectReason: 'backupReservePct not supported' } }
  if (index % 29 === 8) return { configurations: asked, state: { ...applied, reported: { ...first.desired, socMaxPct: 90 } } }
  return { configurations: asked, state: applied }
}

const versionsOf = (random: Random, revision: string) =>
  revision.startsWith('A')
    ? random.pick(['1.9.4', '1.9.4', '1.8.2'])
    : random.pick([...Array<string>(17).fill('2.1.3'), '2.0.0', '2.2.0', '2.2.0'])

/** `count` boards with their last reports. `fields` is the configuration's form. */
export function demoBoards(random: Random, now: Date, sites: readonly Row[], count: number, fields: Fields): DemoBoards {
  const made: DemoBoards = { boards: [], states: [], configurations: [], attachments: [] }
  for (const [index, { site, role, moduleIndex }] of placesFor(sites, count).entries()) {
    const createdAt = new Date(now.getTime() - random.int(60, 900) * dayMs)
    const uid = random.bytes(6).toString('hex').toUpperCase()
    const hardwareRevision = random.pick(['A1', 'A2', 'B1', 'B1', 'B2'])
    const attached = {
      essId: site?.id ?? null,
      role,
      moduleIndex,
      lifecycle: site ? (index % 61 === 20 ? 'QUARANTINED' : 'ACTIVE') : index % 9 === 4 ? 'RETIRED' : 'REGISTERED',
    }
    const board: Row = {
      id: random.id(createdAt),
      createdAt,
      updatedAt: createdAt,
      code: `PCB-${uid.slice(4)}`,
      uid,
      serialNumber: `SN${random.int(100_000, 999_999)}`,
      hardwareRevision,
      ...attached,
    }
    const state = site ? stateOf(random, now, board, index, versionsOf(random, hardwareRevision)) : undefined
    const wanted = configured(random, now, board, state, index, site?.chemistry, fields)
    made.boards.push(board)
    made.configurations.push(...wanted.configurations)
    if (state) made.states.push({ ...state, ...wanted.state })
    if (site)
      made.attachments.push({
        id: random.id(createdAt),
        createdAt,
        updatedAt: createdAt,
        controlPcbId: board.id,
        essId: site.id,
        role,
        attachedAt: createdAt,
      })
  }
  return made
}
