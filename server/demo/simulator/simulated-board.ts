import { minuteMs } from '#schema/format/durations.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { type BoardSelf, frameOf, type Moment } from './board-frames.ts'
import type { Part } from './board-line.ts'
import { BoardUpdate, type UpdateNews, type UpdateTrouble, type WantedUpdate } from './board-update.ts'
import { hashText, unitOf } from './chance.ts'
import { activeFaults, type Fault, type FaultKind } from './faults.ts'
import { type Operation, operationOf } from './operation.ts'
import { moduleReadings, type Readings } from './readings.ts'
import type { RunningPlant } from './running-plant.ts'

export type BoardFacts = {
  id: string
  essId: string
  key: string
  ip: string
  role: 'MAIN' | 'MODULE'
  moduleIndex: number | null
  plant: RunningPlant
  self: BoardSelf
  /** The active configuration and its version. */
  configuration: Row
  configVersion: number
  rejectedVersion: number | null
}

export type WantedConfiguration = { version: number; desired: Row }

/** After a start a board reports at a shorter interval for a while, so that it is soon visible. */
const eagerMs = 20_000
const eagerReports = 4
const brownoutEveryMs = 25 * minuteMs
/** Delay before a board answers a configuration. */
const considerMs = 6_000
const rejectReason = 'backupReservePct not supported'
/** A local change at the device. */
const setOnSite = { socMaxPct: 90 }

/** States in which the board acts next. */
const doableStates = new Set(['QUEUED', 'DOWNLOADING', 'VERIFYING', 'INSTALLING', 'REBOOTING'])

const troubleOf = (active: ReadonlySet<FaultKind>): UpdateTrouble =>
  active.has('UPDATE_FAILS') ? 'FAILS' : active.has('UPDATE_ROLLS_BACK') ? 'ROLLS_BACK' : undefined

/** One board: its next action and the frames it sends. */
export class SimulatedBoard {
  readonly facts: BoardFacts
  faults: readonly Fault[] = []
  /** The board that controls the plant; modules control none. */
  main: SimulatedBoard | undefined
  #operation: Operation
  #nextReportMs: number
  #eager = 0
  #update: BoardUpdate | undefined
  #finished: string | undefined
  #wanted: { configuration: WantedConfiguration; atMs: number } | undefined
  #nextBrownoutMs = 0
  #stuck: Readings | undefined
  #isCanceling = false
  /** Start of the last local change made. */
  #turnedMs = Number.NEGATIVE_INFINITY

  constructor(facts: BoardFacts, nowMs: number) {
    this.facts = facts
    this.#operation = operationOf(facts.configuration)
    // Spread over the interval, so that boards do not report in lockstep.
    this.#nextReportMs = nowMs + unitOf(hashText(facts.self.uid), 0, 40) * 1000 * this.#operation.reportIntervalS
  }

  get operation(): Operation {
    return this.#operation
  }

  /** Time of the next action in epoch milliseconds. */
  get dueMs(): number {
    const update = this.#update?.dueMs ?? Number.POSITIVE_INFINITY
    if (this.#update?.isSilent) return update
    const late = Number.POSITIVE_INFINITY
    return Math.min(this.#nextReportMs, update, this.#wanted?.atMs ?? late, this.#knob?.fromMs ?? late)
  }

  /** Takes the server's desired state. */
  hear(wanted: { configuration: WantedConfiguration | undefined; update: WantedUpdate | undefined }, nowMs: number): void {
    const { configVersion, rejectedVersion } = this.facts
    const { configuration, update } = wanted
    const isNews = configuration && configuration.version !== configVersion && configuration.version !== rejectedVersion
    if (isNews && this.#wanted?.configuration.version !== configuration.version)
      this.#wanted = { configuration, atMs: nowMs + considerMs }
    const isOpen = update && doableStates.has(update.status) && update.id !== this.#finished
    if (isOpen && update.id !== this.#update?.wanted.id)
      this.#update = new BoardUpdate(update, troubleOf(activeFaults(this.faults, nowMs)), nowMs + 2_000)
    if (update?.status === 'CANCELING' && this.#update?.canBeCanceled) this.#isCanceling = true
  }

  /** The chunk of an image to load before the board acts. */
  partAt(nowMs: number): Part | undefined {
    return this.isCutOff(nowMs) ? undefined : this.#update?.partAt(nowMs)
  }

  take(bytes: Buffer): void {
    this.#update?.take(bytes)
  }

  /** The frames to send now; none while the board is offline. Its time still advances. */
  act(nowMs: number): Buffer[] {
    const active = activeFaults(this.faults, nowMs)
    const moment: Moment = { timeMs: nowMs, active }
    const frames = [
      ...this.#brownout(moment),
      ...this.#updating(moment),
      ...this.#configuring(moment),
      ...this.#setOnSite(moment),
      ...this.#reporting(moment),
    ]
    return active.has('COMMS_LOSS') ? [] : frames
  }

  isCutOff(nowMs: number): boolean {
    return activeFaults(this.faults, nowMs).has('COMMS_LOSS')
  }

  #reporting(moment: Moment): Buffer[] {
    const { timeMs } = moment
    if (timeMs < this.#nextReportMs || this.#update?.isSilent) return []
    const intervalMs = this.#eager > 0 ? eagerMs : 1000 * this.#operation.reportIntervalS
    if (this.#eager > 0) this.#eager -= 1
    while (this.#nextReportMs <= timeMs) this.#nextReportMs += intervalMs
    return [frameOf(this.facts.self, 'TELEMETRY', this.#readings(moment), moment)]
  }

  #readings({ timeMs, active }: Moment): Readings {
    const { plant, role, moduleIndex } = this.facts
    const { operation, faults } = this.main ?? this
    const seen = plant.runTo(timeMs, { operationAt: () => operation, faults })
    const readings = role === 'MAIN' ? seen.readings : moduleReadings(seen.readings, plant.plant, moduleIndex ?? 1)
    if (!active.has('STUCK_SENSOR')) {
      this.#stuck = undefined
      return readings
    }
    const { cellTempMinC = null, cellTempAvgC = null, cellTempMaxC = null } = this.#stuck ?? readings
    this.#stuck = { cellTempMinC, cellTempAvgC, cellTempMaxC }
    return { ...readings, ...this.#stuck }
  }

  #configuring(moment: Moment): Buffer[] {
    const wanted = this.#wanted
    if (!wanted || moment.timeMs < wanted.atMs || moment.active.has('COMMS_LOSS')) return []
    this.#wanted = undefined
    const { version, desired } = wanted.configuration
    if (moment.active.has('CONFIG_REJECTED')) {
      this.facts.rejectedVersion = version
      const values = { configVersion: version, result: 'REJECTED', rejectReason, configuration: null }
      return [frameOf(this.facts.self, 'CONFIG_ACK', values, moment)]
    }
    this.facts.configVersion = version
    this.facts.configuration = desired
    this.#operation = operationOf(desired)
    this.#nextReportMs = Math.min(this.#nextReportMs, moment.timeMs + 1000 * this.#operation.reportIntervalS)
    const configuration = JSON.parse(JSON.stringify(desired))
    const values = { configVersion: version, result: 'APPLIED', rejectReason: null, configuration }
    return [frameOf(this.facts.self, 'CONFIG_ACK', values, moment)]
  }

  /** A local change that is still to be made. */
  get #knob(): Fault | undefined {
    return this.faults.find(({ kind, fromMs }) => kind === 'LOCAL_CHANGE' && fromMs > this.#turnedMs)
  }

  /** A local change: applied, and reported on the next contact. */
  #setOnSite({ timeMs, active }: Moment): Buffer[] {
    const fault = this.#knob
    if (!fault || timeMs < fault.fromMs || active.has('COMMS_LOSS')) return []
    this.#turnedMs = fault.fromMs
    if (timeMs >= fault.toMs) return []
    const { configVersion, self } = this.facts
    this.facts.configuration = { ...this.facts.configuration, ...setOnSite }
    this.#operation = operationOf(this.facts.configuration)
    const configuration = JSON.parse(JSON.stringify(this.facts.configuration))
    const values = { configVersion, result: 'REPORTED', rejectReason: null, configuration } as const
    return [frameOf(self, 'CONFIG_ACK', values, { timeMs, active })]
  }

  #updating(moment: Moment): Buffer[] {
    const update = this.#update
    if (!update || moment.active.has('COMMS_LOSS') || (moment.timeMs < update.dueMs && !this.#isCanceling)) return []
    const news = this.#isCanceling ? update.cancel() : update.next(moment.timeMs)
    this.#isCanceling = false
    if (news.done) {
      this.#finished = update.wanted.id
      this.#update = undefined
    }
    return [
      ...(news.progress ? [frameOf(this.facts.self, 'FW_PROGRESS', news.progress, moment)] : []),
      ...this.#rebooted(news, update.wanted.toVersion, moment),
    ]
  }

  #rebooted({ boots }: UpdateNews, toVersion: string, moment: Moment): Buffer[] {
    if (!boots) return []
    const { self } = this.facts
    if (boots === 'new') {
      self.previousVersion = self.firmwareVersion
      self.firmwareVersion = toVersion
    }
    return this.#boot('FW_UPDATE', moment)
  }

  #brownout(moment: Moment): Buffer[] {
    if (!moment.active.has('BROWNOUTS') || moment.timeMs < this.#nextBrownoutMs) return []
    this.#nextBrownoutMs =
      moment.timeMs + brownoutEveryMs * (0.6 + 0.4 * unitOf(hashText(this.facts.self.uid), this.facts.self.seq, 41))
    return this.#boot('BROWNOUT', moment)
  }

  #boot(resetReason: BoardSelf['resetReason'], moment: Moment): Buffer[] {
    const { self } = this.facts
    Object.assign(self, { resetReason, rebootCount: self.rebootCount + 1, bootedMs: moment.timeMs })
    this.#eager = eagerReports
    this.#nextReportMs = moment.timeMs + 5_000
    const { bootloaderVersion, previousVersion, hardwareRevision } = self
    return [frameOf(self, 'BOOT', { bootloaderVersion, previousVersion, hardwareRevision }, moment)]
  }
}
