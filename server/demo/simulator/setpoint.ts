import type { Mode, Operation, Slot } from './operation.ts'
import type { Plant } from './plant.ts'

/** Inputs of an operating mode. `hour` and `weekday` (1 = Monday) are local to the site. */
export type Moment = { hour: number; weekday: number; surplusW: number; socPct: number }

type Wanting = (moment: Moment, plant: Plant, operation: Operation) => number

const selfConsumption: Wanting = ({ surplusW }) => -surplusW

/** Hours of the night tariff, in which the battery charges at 0.3 C. */
const isCheap = (hour: number) => hour >= 23 || hour < 6
const cheapRate = 0.3

/** Peak shaving starts at this share of the connection, or at the configured limit. */
const peakShare = 0.5
const shave: Wanting = ({ surplusW }, { gridLimitW }, { importLimitW }) => {
  const peakW = importLimitW ?? gridLimitW * peakShare
  const importW = -surplusW
  return importW > peakW ? importW - peakW : Math.max(importW - 0.8 * peakW, -gridLimitW)
}

const wantings: Record<Mode, Wanting> = {
  SELF_CONSUMPTION: selfConsumption,
  PEAK_SHAVING: shave,
  TIME_OF_USE: (moment, plant, operation) =>
    isCheap(moment.hour)
      ? Math.min(-cheapRate * plant.energyWh, selfConsumption(moment, plant, operation))
      : selfConsumption(moment, plant, operation),
  BACKUP: ({ socPct, surplusW }, { energyWh }, { reservePct }) =>
    socPct < Math.max(reservePct, 90) ? Math.min(-0.1 * energyWh, -surplusW) : Math.min(0, -surplusW),
  MANUAL: (_moment, _plant, { manualW }) => manualW,
  STANDBY: () => 0,
}

const isWithin = ({ days, fromH, toH }: Slot, { hour, weekday }: Moment) =>
  days.includes(String(weekday)) && (fromH <= toH ? hour >= fromH && hour < toH : hour >= fromH || hour < toH)

function slotSetpoint(slot: Slot, moment: Moment, plant: Plant, operation: Operation): number {
  const setpoint = slot.powerW ?? wantings[slot.mode](moment, plant, operation)
  const isThere =
    slot.targetSocPct !== null && (setpoint < 0 ? moment.socPct >= slot.targetSocPct : moment.socPct <= slot.targetSocPct)
  return isThere ? 0 : setpoint
}

/** Power setpoint of the battery (W, + = discharge), before its own limits. */
export function setpointOf(moment: Moment, plant: Plant, operation: Operation): number {
  const slot = operation.slots.find((one) => isWithin(one, moment))
  return slot ? slotSetpoint(slot, moment, plant, operation) : wantings[operation.mode](moment, plant, operation)
}
