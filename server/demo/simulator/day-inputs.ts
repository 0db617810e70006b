import { dayMs, hourMs, minuteMs } from '#schema/format/durations.ts'
import type { Random } from '#server/demo/random.ts'
import { chanceOf, normal } from './chance.ts'
import type { Plant } from './plant.ts'

export const minutesOfDay = 1_440

/** Solar power and demand of a day (UTC), in W per minute; `offsetH`: the site's offset to UTC in hours. */
export type DayInputs = { day: number; offsetH: number; pvW: Float64Array; loadW: Float64Array }

const radians = (degrees: number) => (degrees * Math.PI) / 180

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  formats.set(timeZone, format)
  return format
}

/** Hours that a zone's clock is ahead of UTC at a moment. */
export function zoneOffsetH(zone: string, timeMs: number): number {
  const part = Object.fromEntries(
    formatOf(zone)
      .formatToParts(timeMs)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0 } = part
  return Math.round((Date.UTC(year, month - 1, day, hour, minute) - timeMs) / 900_000) / 4
}

/** Length of the day in hours and the sun's height at noon (sine), by latitude and day of the year. */
function sunOf(lat: number, day: number): { hours: number; noonSine: number } {
  const date = new Date(day * dayMs)
  const ofYear = (day * dayMs - Date.UTC(date.getUTCFullYear(), 0, 1)) / dayMs + 1
  const tilt = radians(-23.44 * Math.cos((2 * Math.PI * (ofYear + 10)) / 365))
  const half = Math.acos(Math.min(1, Math.max(-1, -Math.tan(radians(lat)) * Math.tan(tilt))))
  return { hours: (24 / Math.PI) * half, noonSine: Math.max(0, Math.cos(radians(lat) - tilt)) }
}

const dayFactors = [1, 0.9, 0.7, 0.45, 0.25]

/** Solar power of a clear sky in W, by the minute of a day (UTC). */
function clearSky({ lat, lon, pvPeakW }: Plant, day: number): (minute: number) => number {
  const { hours, noonSine } = sunOf(lat, day)
  const height = Math.min(1, noonSine / 0.87)
  const sunrise = 12 - hours / 2
  return (minute) => {
    const solarH = (minute / 60 + lon / 15 + 48) % 24
    const isUp = solarH > sunrise && solarH < sunrise + hours
    const sine = isUp ? Math.sin((Math.PI * (solarH - sunrise)) / hours) : 0
    return pvPeakW * 0.75 * Math.max(0, sine) ** 1.25 * height
  }
}

/** Share of the light that the clouds of a day leave. */
const cloudFactorOf = (random: Random): number => random.pick(dayFactors)

function pvOf(plant: Plant, day: number, random: Random): Float64Array {
  const factor = cloudFactorOf(random)
  const sky = clearSky(plant, day)
  let cloud = factor
  return Float64Array.from({ length: minutesOfDay }, (_, minute) => {
    cloud = Math.min(1, Math.max(0.1, cloud + 0.05 * (factor - cloud) + 0.03 * normal(random)))
    return sky(minute) * cloud
  })
}

const shape = [
  0.4, 0.32, 0.28, 0.27, 0.28, 0.36, 0.55, 0.75, 0.82, 0.8, 0.78, 0.82, 0.9, 0.85, 0.74, 0.68, 0.68, 0.76, 0.9, 1, 0.98, 0.9,
  0.78, 0.58,
]
const meanShape = shape.reduce((sum, value) => sum + value, 0) / shape.length

/** Linear interpolation between hours. */
function shapeAt(hour: number): number {
  const at = ((hour % 24) + 24) % 24
  const [low, high] = [shape[Math.floor(at)] ?? 0, shape[(Math.floor(at) + 1) % 24] ?? 0]
  return low + (high - low) * (at - Math.floor(at))
}

/** People get up later at the weekend. */
const weekendDelayH = 1.5
const shiftedHour = (hour: number, isWeekend: boolean) =>
  isWeekend && hour < 12 ? hour - weekendDelayH * (1 - hour / 12) : hour

const burstsPerDay = 8

/** Appliances that run for 15, 30 or 45 minutes while people are awake. */
function burstsOf({ burstW }: Plant, offsetH: number, random: Random): Float64Array {
  const bursts = new Float64Array(minutesOfDay)
  for (let count = 0; count < burstsPerDay; count++) {
    const localH = 6.5 + 16 * random.next()
    const start = Math.floor(((localH - offsetH + 48) % 24) * 60)
    const minutes = random.pick([15, 30, 45])
    const watts = burstW * (0.4 + 0.6 * random.next())
    for (let minute = start; minute < Math.min(minutesOfDay, start + minutes); minute++)
      bursts[minute] = (bursts[minute] ?? 0) + watts
  }
  return bursts
}

function loadOf(plant: Plant, day: number, offsetH: number, random: Random): Float64Array {
  const bursts = burstsOf(plant, offsetH, random)
  const burstWh = bursts.reduce((sum, watts) => sum + watts, 0) / 60
  const meanW = Math.max(0.3 * plant.dailyLoadWh, plant.dailyLoadWh - burstWh) / 24
  return bursts.map((burst, minute) => {
    const localMs = day * dayMs + minute * minuteMs + offsetH * hourMs
    const weekday = new Date(localMs).getUTCDay()
    const hour = shiftedHour((localMs % dayMs) / hourMs, weekday === 0 || weekday === 6)
    const base = (meanW * shapeAt(hour)) / meanShape
    return Math.max(0.25 * meanW, base * (1 + 0.05 * normal(random)) + burst)
  })
}

/** Sun and demand of one day (UTC) as means of its hours. */
export type HourInputs = { offsetH: number; pvW: number[]; loadW: number[] }

const hoursOfDay = Array.from({ length: 24 }, (_, hour) => hour)

/** The day of `dayInputs` in outline, for a hundredth of the work: its clouds are the same, its appliances are spread over the day. */
export function hourInputs(plant: Plant, day: number, offsetH: number): HourInputs {
  const random = chanceOf(plant.code, day)
  const factor = cloudFactorOf(random)
  const sky = clearSky(plant, day)
  const ofDay = (plant.dailyLoadWh / 24) * (1 + 0.12 * normal(random))
  return {
    offsetH,
    pvW: hoursOfDay.map((hour) => Math.round(((sky(hour * 60 + 10) + sky(hour * 60 + 30) + sky(hour * 60 + 50)) / 3) * factor)),
    loadW: hoursOfDay.map((hour) => Math.round((ofDay * shapeAt(hour + offsetH) * (0.8 + 0.4 * random.next())) / meanShape)),
  }
}

/** External inputs of a site for a day, independent of its battery: the same code and day give the same numbers. */
export function dayInputs(plant: Plant, day: number): DayInputs {
  const random = chanceOf(plant.code, day)
  const offsetH = zoneOffsetH(plant.timezone, day * dayMs + dayMs / 2)
  const pvW = pvOf(plant, day, random)
  return { day, offsetH, pvW, loadW: loadOf(plant, day, offsetH, random) }
}
