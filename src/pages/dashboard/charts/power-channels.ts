/** Powers of a site in display order. */
export const powerChannels = ['pvPowerW', 'loadPowerW', 'batteryPowerW', 'gridPowerW'] as const
