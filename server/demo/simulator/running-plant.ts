import { minuteMs } from '#schema/format/durations.ts'
import { type DayInputs, dayInputs, minutesOfDay } from './day-inputs.ts'
import { activeFaults, type Fault, stressOf } from './faults.ts'
import { firstState } from './first-state.ts'
import type { Operation } from './operation.ts'
import { dayOf, type Plant } from './plant.ts'
import { type Readings, readingsOf } from './readings.ts'
import { type Minute, type PlantState, step } from './step.ts'

/** State of a plant at the start of a day (UTC, days since 1970). */
export type Checkpoint = { day: number; state: PlantState }

/** Operation and faults at a moment; both may change while the plant runs. */
export type Circumstances = { operationAt: (timeMs: number) => Operation; faults: readonly Fault[] }

export type Seen = { timeMs: number; minute: Minute; state: PlantState; readings: Readings }

/**
 * Runs a plant minute by minute from a checkpoint. Deterministic: the same checkpoint and circumstances give the same readings.
 */
export class RunningPlant {
  readonly plant: Plant
  #state: PlantState
  /** Minutes since 1970 that are done. */
  #done: number
  #inputs: DayInputs
  #last: Seen | undefined

  constructor(plant: Plant, { day, state }: Checkpoint) {
    this.plant = plant
    this.#state = state
    this.#done = day * minutesOfDay
    this.#inputs = dayInputs(plant, day)
  }

  /** The initial checkpoint: nothing exists before that day. */
  static firstCheckpoint(plant: Plant, day: number): Checkpoint {
    return { day, state: firstState(plant, day) }
  }

  /** Takes the state that a past before its first minute has led to. */
  startFrom({ day, state }: Checkpoint): void {
    this.#state = state
    this.#done = day * minutesOfDay
  }

  /** State of the plant when the next minute is the first of a day. */
  checkpoint(): Checkpoint | undefined {
    return this.#done % minutesOfDay === 0 ? { day: this.#done / minutesOfDay, state: this.#state } : undefined
  }

  /** End of the simulated time, in epoch milliseconds. */
  get timeMs(): number {
    return this.#done * minuteMs
  }

  /** Runs one minute and returns its values; their time is the minute's end. */
  next({ operationAt, faults }: Circumstances): Seen {
    const timeMs = (this.#done + 1) * minuteMs
    const day = dayOf(this.#done * minuteMs)
    if (day !== this.#inputs.day) this.#inputs = dayInputs(this.plant, day)
    const active = activeFaults(faults, timeMs)
    const operation = operationAt(timeMs)
    const at = this.#done % minutesOfDay
    const { minute, state } = step({
      plant: this.plant,
      state: this.#state,
      operation,
      inputs: this.#inputs,
      at,
      stress: stressOf(active),
    })
    this.#state = state
    this.#done += 1
    const readings = readingsOf({ plant: this.plant, state, minute, active, at: this.#done, socMinPct: operation.socMinPct })
    this.#last = { timeMs, minute, state, readings }
    return this.#last
  }

  /** Runs up to a time and returns the last whole minute before it; `onDay` receives each passed checkpoint. */
  runTo(timeMs: number, circumstances: Circumstances, onDay?: (checkpoint: Checkpoint) => void): Seen {
    const target = Math.floor(timeMs / minuteMs)
    while (this.#done < target || !this.#last) {
      this.next(circumstances)
      const checkpoint = this.checkpoint()
      if (checkpoint) onDay?.(checkpoint)
    }
    return this.#last
  }
}
