let offsetMs = 0

/** Tells by how many ms the server's clock is ahead of this machine's. */
export const setClockOffset = (ms: number): void => {
  offsetMs = ms
}

/** The present in epoch ms by the server's clock, which dates all that is shown: that of a browser may be wrong by years. */
export const presentMs = (): number => Date.now() + offsetMs
/** The same as ISO text. */
export const presentIso = (): string => new Date(presentMs()).toISOString()
