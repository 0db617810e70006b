import { hourMs } from '#schema/format/durations.ts'
import { channels, type NamedChannel } from './channels.ts'
import type { BoardMemory } from './frame-decoder.ts'
import { type Check, type Judging, numberOf, oncePerPayload, placeOf, shown } from './judging.ts'
import { makeReason } from './make-reason.ts'
import type { Payload } from './read-frame.ts'
import { anySite, ratedCurrentA, type SiteFacts } from './site-facts.ts'

/** Both limits must be exceeded, so that neither fast nor slow boards are doubted because of their interval. */
const stuck = { samples: 256, ms: 4 * hourMs }

type Sensor = NamedChannel & Required<Pick<NamedChannel, 'sensor'>>
const sensors = channels.flatMap((channel): Sensor[] => (channel.sensor ? [{ ...channel, sensor: channel.sensor }] : []))
const temperatures = sensors.filter(({ sensor }) => sensor === 'temperature')

/** Driver of a sensor: its current value, and the smallest change that the sensor must follow. */
type Mover = {
  expected: string
  value: (payload: Payload, sensor: Sensor) => number | undefined
  least: (site: SiteFacts, isCoarse: boolean) => number
}

const movers: Readonly<Record<Sensor['sensor'], Mover>> = {
  current: {
    expected: 'a change while the current moves',
    value: ({ values }) => numberOf(values.batteryCurrentA) ?? 0,
    least: (site, isCoarse) => (isCoarse ? 0.2 : 0.05) * (ratedCurrentA(site) ?? 100),
  },
  temperature: {
    expected: 'a change while other temperatures move',
    value: ({ values }, { name }) => {
      let [sum, count] = [0, 0]
      for (const other of temperatures) {
        const value = values[other.name]
        if (other.name === name || typeof value !== 'number') continue
        sum += value
        count += 1
      }
      return count > 0 ? sum / count : undefined
    },
    least: (_, isCoarse) => (isCoarse ? 4 : 1),
  },
}

/** A last digit of 0: the sensor may have a tenth of its channel's resolution. */
const isCoarse = (value: number, { digits = 0 }: Sensor) => Math.round(value * 10 ** digits) % 10 === 0

type Run = NonNullable<NonNullable<BoardMemory['still']>[string]>

/** How long a sensor has repeated this value, including this sample. */
function runOf(before: Run | undefined, value: number, mover: number | undefined, timeMs: number): Run {
  const known = before?.value === value ? before : undefined
  const sinceMs = known?.sinceMs ?? timeMs
  const count = (known?.count ?? 0) + 1
  const { low = mover, high = mover } = known ?? {}
  if (low === undefined || high === undefined) return { value, sinceMs, count }
  return { value, sinceMs, count, low: Math.min(low, mover ?? low), high: Math.max(high, mover ?? high) }
}

/** For each sensor, since when its value is unchanged. */
export const rereadPerson = oncePerPayload(({ payload, context: { memory }, timeMs }: Judging): Record<string, Run> => {
  const runs: Record<string, Run> = {}
  if (timeMs === undefined) return runs
  for (const sensor of sensors) {
    const value = numberOf(payload.values[sensor.name])
    const mover = movers[sensor.sensor].value(payload, sensor)
    if (value !== undefined) runs[sensor.name] = runOf(memory.still?.[sensor.name], value, mover, timeMs)
  }
  return runs
})

export const stuckSensor: Check = (judging) => {
  const { payload, context, timeMs = 0 } = judging
  const runs = rereadPerson(judging)
  return sensors.flatMap((sensor) => {
    const { name, unit } = sensor
    const run = runs[name]
    if (!run || run.count < stuck.samples || timeMs - run.sinceMs < stuck.ms) return []
    const { expected, least } = movers[sensor.sensor]
    if ((run.high ?? 0) - (run.low ?? 0) < least(context.site ?? anySite, isCoarse(run.value, sensor))) return []
    const facts = { expected, actual: `${run.count} × ${shown(run.value, unit)}` }
    return [{ reason: makeReason('SENSOR_STUCK', { ...placeOf(payload, name), ...facts }), doubted: [name] }]
  })
}
