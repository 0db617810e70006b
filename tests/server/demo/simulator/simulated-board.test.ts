import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { FaultKind } from '#server/demo/simulator/faults.ts'
import { plantOf } from '#server/demo/simulator/plant.ts'
import { RunningPlant } from '#server/demo/simulator/running-plant.ts'
import { SimulatedBoard } from '#server/demo/simulator/simulated-board.ts'
import type { BoardMemory, DecodedFrame } from '#server/frames/frame-decoder.ts'
import { referenceDecoder } from '#server/frames/reference-decoder.ts'
import { dayNumber, home, seasons } from './plants.ts'

const start = (dayNumber(seasons.spring) + 0.5) * 86_400_000
const uid = '0011AABBCCDD'
const image = Buffer.alloc(50_000, 'image')

/** A board with what a server would read of it, second by second. */
class Wired {
  readonly board: SimulatedBoard
  readonly frames: DecodedFrame[] = []
  nowMs = start
  /** The image as the board loads it. */
  line = image
  #memory: BoardMemory = {}

  constructor() {
    const plant = plantOf(home)
    const self = {
      uid,
      hardwareRevision: 'B1',
      firmwareVersion: '2.1.3',
      previousVersion: null,
      bootloaderVersion: '1.2.0',
      transport: 'LTE' as const,
      resetReason: 'POWER_ON' as const,
      rebootCount: 3,
      bootedMs: start - 86_400_000,
      seq: 100,
    }
    const running = new RunningPlant(plant, RunningPlant.firstCheckpoint(plant, dayNumber(seasons.spring)))
    const ids = { id: 'b', essId: 'e', key: 'k', ip: '10.0.0.1' }
    const configuration = { reportIntervalS: 60, operatingMode: 'TIME_OF_USE' }
    const facts = {
      ...ids,
      role: 'MAIN' as const,
      moduleIndex: null,
      plant: running,
      self,
      configuration,
      configVersion: 1,
      rejectedVersion: null,
    }
    this.board = new SimulatedBoard(facts, start)
  }

  suffer(kind: FaultKind, lastsS = 86_400): this {
    this.board.faults = [{ kind, fromMs: this.nowMs, toMs: this.nowMs + lastsS * 1000 }]
    return this
  }
  pass(seconds: number): DecodedFrame[] {
    const fresh: DecodedFrame[] = []
    for (let second = 0; second < seconds; second++) {
      this.nowMs += 1000
      if (this.board.dueMs > this.nowMs) continue
      const part = this.board.partAt(this.nowMs)
      if (part) this.board.take(this.line.subarray(part.from, part.to))
      for (const bytes of this.board.act(this.nowMs)) {
        const decoded = referenceDecoder.decode(bytes, {
          receivedAt: new Date(this.nowMs),
          uid,
          site: home,
          memory: this.#memory,
        })
        this.#memory = decoded.memory
        fresh.push(decoded)
      }
    }
    this.frames.push(...fresh)
    return fresh
  }
  wants(update: { status: string; version?: string }): void {
    const wanted = {
      id: '01890000-0000-7000-8000-000000000001',
      toVersion: update.version ?? '2.2.0',
      sizeBytes: image.length,
      sha256: createHash('sha256').update(image).digest('hex'),
      status: update.status,
    }
    this.board.hear({ configuration: undefined, update: wanted }, this.nowMs)
  }
}
const typesOf = (frames: readonly DecodedFrame[]) => frames.map(({ type }) => type)
const statesOf = (frames: readonly DecodedFrame[]) => [
  ...new Set(frames.filter(({ type }) => type === 'FW_PROGRESS').map(({ values }) => values.state)),
]

describe('a simulated board', () => {
  it('reports at its interval, valid and without a gap', () => {
    const frames = new Wired().pass(600)
    expect(typesOf(frames)).toEqual(Array.from({ length: 10 }, () => 'TELEMETRY'))
    expect(frames.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'VALID'))
    expect(frames.slice(1).every(({ gapBefore }) => gapBefore === 0)).toBe(true)
  })

  it('tells once what a person sets at it, and goes on with that until it is told otherwise', () => {
    const wired = new Wired().suffer('LOCAL_CHANGE')
    const told = wired.pass(120).filter(({ type }) => type === 'CONFIG_ACK')
    expect(told.map(({ values }) => values)).toMatchObject([
      { configVersion: 1, result: 'REPORTED', configuration: { operatingMode: 'TIME_OF_USE', socMaxPct: 90 } },
    ])
  })

  it('applies a configuration and says so, or refuses it with a reason', () => {
    const wired = new Wired()
    const wish = { version: 2, desired: { reportIntervalS: 10, operatingMode: 'STANDBY' } }
    wired.board.hear({ configuration: wish, update: undefined }, wired.nowMs)
    const ack = wired.pass(60).find(({ type }) => type === 'CONFIG_ACK')
    expect(ack?.values).toMatchObject({ configVersion: 2, result: 'APPLIED', configuration: wish.desired })
    expect(wired.pass(60).length).toBeGreaterThanOrEqual(6)

    const stubborn = new Wired().suffer('CONFIG_REJECTED')
    stubborn.board.hear({ configuration: wish, update: undefined }, stubborn.nowMs)
    const refusal = stubborn.pass(60).find(({ type }) => type === 'CONFIG_ACK')
    expect(refusal?.values).toMatchObject({ configVersion: 2, result: 'REJECTED', rejectReason: expect.any(String) })
    stubborn.board.hear({ configuration: wish, update: undefined }, stubborn.nowMs)
    expect(typesOf(stubborn.pass(60))).not.toContain('CONFIG_ACK')
  })

  it('installs an update step by step and comes back with the new version', () => {
    const wired = new Wired()
    wired.wants({ status: 'QUEUED' })
    const frames = wired.pass(180)
    expect(statesOf(frames)).toEqual(['DOWNLOADING', 'VERIFYING', 'INSTALLING', 'REBOOTING'])
    const boot = frames.findIndex(({ type }) => type === 'BOOT')
    expect(frames[boot]?.values).toMatchObject({
      firmwareVersion: '2.2.0',
      previousVersion: '2.1.3',
      resetReason: 'FW_UPDATE',
      rebootCount: 4,
    })
    expect(frames.slice(boot).filter(({ type }) => type === 'TELEMETRY').length).toBeGreaterThanOrEqual(3)
    wired.wants({ status: 'CONFIRMING' })
    expect(statesOf(wired.pass(120))).toEqual([])
  })

  it('comes back with the old version, or fails while it loads, when it is told to', () => {
    const back = new Wired().suffer('UPDATE_ROLLS_BACK')
    back.wants({ status: 'QUEUED' })
    expect(back.pass(180).find(({ type }) => type === 'BOOT')?.values).toMatchObject({
      firmwareVersion: '2.1.3',
      resetReason: 'FW_UPDATE',
    })
    const failing = new Wired().suffer('UPDATE_FAILS')
    failing.wants({ status: 'QUEUED' })
    const frames = failing.pass(180)
    expect(frames.find(({ values }) => values.state === 'FAILED')?.values).toMatchObject({ failure: 'CHECKSUM' })
    expect(typesOf(frames)).not.toContain('BOOT')
  })

  it('fails with an image that is not what it was offered', () => {
    const wired = new Wired()
    wired.line = Buffer.from(image)
    wired.line.writeUInt8(0, 40_000)
    wired.wants({ status: 'QUEUED' })
    const frames = wired.pass(180)
    expect(statesOf(frames)).toEqual(['DOWNLOADING', 'VERIFYING', 'FAILED'])
    expect(frames.find(({ values }) => values.state === 'FAILED')?.values).toMatchObject({ failure: 'CHECKSUM' })
    expect(typesOf(frames)).not.toContain('BOOT')
  })

  it('gives an update up while it loads, and goes on once it installs', () => {
    const wired = new Wired()
    wired.wants({ status: 'QUEUED' })
    wired.pass(20)
    wired.wants({ status: 'CANCELING' })
    expect(statesOf(wired.pass(30))).toContain('CANCELED')
    const late = new Wired()
    late.wants({ status: 'QUEUED' })
    late.pass(58)
    late.wants({ status: 'CANCELING' })
    expect(statesOf(late.pass(120))).not.toContain('CANCELED')
  })

  it('goes on with an update that it was interrupted at', () => {
    const wired = new Wired()
    wired.wants({ status: 'INSTALLING' })
    expect(statesOf(wired.pass(120))).toEqual(['INSTALLING', 'REBOOTING'])
  })

  it('is silent while it is cut off, and then goes on with its numbers', () => {
    const wired = new Wired().suffer('COMMS_LOSS', 300)
    expect(wired.pass(300)).toEqual([])
    const [first] = wired.pass(120)
    expect(first?.status).toBe('VALID')
  })

  it('sends damaged frames: each of them, or a few of many', () => {
    const reasonsOf = (frames: readonly DecodedFrame[]) => frames.filter(({ status }) => status === 'INVALID').length
    const garbled = new Wired().suffer('GARBLED').pass(600)
    expect(reasonsOf(garbled)).toBe(garbled.length)
    const flipped = new Wired().suffer('BIT_FLIPS').pass(2_000 * 60)
    expect(reasonsOf(flipped) / flipped.length).toBeGreaterThan(0.001)
    expect(reasonsOf(flipped) / flipped.length).toBeLessThan(0.02)
  })

  it('counts from 1970 when its clock has lost its time', () => {
    const [frame] = new Wired().suffer('CLOCK_1970').pass(60)
    expect(frame?.deviceTime?.getUTCFullYear()).toBe(1970)
    expect(frame?.sample?.quality).toBe('ESTIMATED')
  })

  it('starts again and again on a weak supply', () => {
    const boots = new Wired()
      .suffer('BROWNOUTS')
      .pass(7_200)
      .filter(({ type }) => type === 'BOOT')
    expect(boots.length).toBeGreaterThan(3)
    expect(boots[0]?.values).toMatchObject({ resetReason: 'BROWNOUT' })
  })

  it('has a sensor that stands still, and is found out by it', () => {
    const frames = new Wired().suffer('STUCK_SENSOR', 400 * 60).pass(400 * 60)
    expect(new Set(frames.map(({ sample }) => sample?.values.cellTempMaxC)).size).toBeLessThanOrEqual(2)
    expect(frames.at(-1)?.reasons.map(({ code }) => code)).toContain('SENSOR_STUCK')
  })
})
