/** What a board says by a bit of `eventFlags`; the places are those of SunSpec's battery model, its free ones where it has none. */
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

/** Whether a bit of the flags is set; flags have 32 bits, which JavaScript's own operators would take for a sign. */
export const hasBit = (flags: number, bit: number): boolean => Math.floor(flags / 2 ** bit) % 2 === 1
