/** The powers of a site in the order in which people read them. */
export const powerChannels = ['pvPowerW', 'loadPowerW', 'batteryPowerW', 'gridPowerW'] as const
