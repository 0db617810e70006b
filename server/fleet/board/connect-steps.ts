import { soundClockMs } from '#resources/fleet/clock-limits.ts'
import type { ConnectStep, Hint } from '#schema/wire/connect.ts'
import type { ConnectFacts, Counted, Strange } from './connect-facts.ts'

export type Found = {
  facts: ConnectFacts
  packets: readonly Counted[]
  lastFrameUnderOtherKey: { at: string } | undefined
  strangers: readonly Strange[]
}

const isLater = (at: string | null, other: string | null) => at !== null && (other === null || at > other)
const hint = (code: Hint['code'], values: Hint['values'] = {}): Hint => ({ code, values })
const when = (isSo: boolean, made: () => Hint): Hint[] => (isSo ? [made()] : [])

function keyStep({ facts }: Found): ConnectStep {
  const { keyAt, isRetired, isDemoKey, nextKeyAt, formerKeyAt, formerKeyIp, keyUsedAt } = facts
  const hints = [
    ...when(isRetired, () => hint('RETIRED')),
    ...when(keyAt === null, () => hint('NO_KEY')),
    ...when(isDemoKey, () => hint('DEMO_KEY')),
    ...when(nextKeyAt !== null, () => hint('NEXT_KEY', { at: nextKeyAt })),
    ...when(isLater(formerKeyAt, keyUsedAt), () => hint('FORMER_KEY', { at: formerKeyAt, ip: formerKeyIp })),
  ]
  const isLacking = keyAt === null || isRetired
  return { code: 'KEY', state: isLacking ? 'FAILED' : 'DONE', at: keyAt, hints }
}

function contactStep({ facts, lastFrameUnderOtherKey, strangers }: Found): ConnectStep {
  const { lastPacketAt, keyUsedAt, otherUid, otherUidAt, refusal, refusedAt, uid } = facts
  const trouble = [
    ...when(isLater(otherUidAt, lastPacketAt) || (otherUidAt !== null && otherUidAt === lastPacketAt), () =>
      hint('OTHER_UID', { at: otherUidAt, uid, otherUid }),
    ),
    ...when(lastFrameUnderOtherKey !== undefined && isLater(lastFrameUnderOtherKey.at, lastPacketAt), () =>
      hint('KEY_OF_OTHER', { at: lastFrameUnderOtherKey?.at ?? null, uid }),
    ),
    ...when(isLater(refusedAt, lastPacketAt), () => hint('REFUSED', { at: refusedAt, refusal })),
  ]
  const isSeen = lastPacketAt !== null && otherUidAt !== lastPacketAt
  const waiting = [
    ...when(keyUsedAt !== null, () => hint('NO_FRAME', { at: keyUsedAt })),
    ...when(keyUsedAt === null, () => hint('NOTHING_CAME')),
    ...strangers.map(({ ip, at, tries }) => hint('STRANGE_KEY', { at, ip, tries })),
  ]
  const hints = isSeen || trouble.length > 0 ? trouble : waiting
  return { code: 'CONTACT', state: isSeen ? 'DONE' : trouble.length > 0 ? 'FAILED' : 'WAITING', at: lastPacketAt, hints }
}

function clockStep({ facts: { lastPacketAt, lastSampleAt, clockOffsetMs, isEstimated } }: Found): ConnectStep {
  if (lastPacketAt === null) return { code: 'CLOCK', state: 'WAITING', at: null, hints: [] }
  const isOff = clockOffsetMs !== null && (clockOffsetMs > soundClockMs || clockOffsetMs < -soundClockMs)
  if (isOff || isEstimated) {
    const offsetS = clockOffsetMs === null ? null : Math.round(clockOffsetMs / 1000)
    const code = offsetS === null || !isOff ? 'NO_CLOCK' : offsetS > 0 ? 'CLOCK_AHEAD' : 'CLOCK_BEHIND'
    return { code: 'CLOCK', state: 'FAILED', at: null, hints: [hint(code, { offsetS: Math.abs(offsetS ?? 0) })] }
  }
  const isKnown = clockOffsetMs !== null || lastSampleAt !== null
  return { code: 'CLOCK', state: isKnown ? 'DONE' : 'WAITING', at: isKnown ? lastPacketAt : null, hints: [] }
}

function telemetryStep({ facts: { lastPacketAt, lastSampleAt, product }, packets }: Found): ConnectStep {
  const refused = packets.filter(({ status }) => status === 'INVALID')
  const unread = packets.filter(({ status }) => status === 'UNKNOWN_VERSION').reduce((sum, { count }) => sum + count, 0)
  const hints = [
    ...refused.map(({ reason, count }) => hint('INVALID', { reason, count })),
    ...when(unread > 0, () => hint('UNKNOWN_VERSION', { count: unread, product })),
  ]
  if (lastSampleAt !== null) return { code: 'TELEMETRY', state: 'DONE', at: lastSampleAt, hints }
  const others = when(lastPacketAt !== null && hints.length === 0, () => hint('NO_SAMPLE'))
  return { code: 'TELEMETRY', state: hints.length > 0 ? 'FAILED' : 'WAITING', at: null, hints: [...hints, ...others] }
}

function configurationStep({ facts }: Found): ConnectStep {
  const { configurationState, requestedAt, appliedAt, rejectReason } = facts
  if (configurationState === 'REJECTED')
    return { code: 'CONFIGURATION', state: 'FAILED', at: null, hints: [hint('REJECTED', { reason: rejectReason })] }
  if (configurationState === 'DRIFTED') return { code: 'CONFIGURATION', state: 'DONE', at: appliedAt, hints: [hint('DIFFERS')] }
  if (configurationState === 'IN_SYNC') return { code: 'CONFIGURATION', state: 'DONE', at: appliedAt, hints: [] }
  const hints = when(configurationState === 'PENDING', () => hint('PENDING', { at: requestedAt }))
  return { code: 'CONFIGURATION', state: 'WAITING', at: null, hints }
}

/** Steps of connecting a board until it is in service, each with its obstacle. */
export const connectSteps = (found: Found): ConnectStep[] =>
  [keyStep, contactStep, clockStep, telemetryStep, configurationStep].map((step) => step(found))
