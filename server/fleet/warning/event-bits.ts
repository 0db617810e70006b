/** Event bits of `eventFlags`; numbered as in SunSpec's battery model, with free bits for the others. */
export const eventBits = {
  CONTACTOR_FAULT: 20,
  FAN_FAULT: 21,
  INSULATION_FAULT: 22,
  DOOR_OPEN: 23,
  BMS_INTERNAL: 25,
  SENSOR_FAULT: 26,
  FUSE_OPEN: 27,
  PRECHARGE_FAIL: 30,
} as const

export type EventCode = keyof typeof eventBits

/** True for a set bit; flags have 32 bits, and JavaScript's bitwise operators would treat the highest one as a sign. */
export const hasBit = (flags: number, bit: number): boolean => Math.floor(flags / 2 ** bit) % 2 === 1
