import { batteryGuides } from './battery-guides.ts'
import { boardGuides } from './board-guides.ts'
import { cellGuides } from './cell-guides.ts'
import { hardwareGuides } from './hardware-guides.ts'
import type { WarningCode } from './warning-codes.ts'
import type { WarningGuide } from './warning-guide.ts'

/** Every code is explained in both languages, or nothing compiles. */
export const warningGuides: Readonly<Record<WarningCode, WarningGuide>> = {
  ...cellGuides,
  ...batteryGuides,
  ...hardwareGuides,
  ...boardGuides,
}
