/** Cache of valid zones: asking the runtime takes longer than all other checks of a record together. */
const goodZones = new Set<string>()
const mostZones = 1000

/**
 * Named zones that the runtime knows. Offsets such as `+02:00` are excluded: not every PostgreSQL build and browser accepts
 * them.
 */
export function isZone(value: string): boolean {
  if (goodZones.has(value)) return true
  try {
    const isGood =
      /^[A-Za-z]/.test(value) && new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== ''
    if (isGood && goodZones.size < mostZones) goodZones.add(value)
    return isGood
  } catch {
    return false
  }
}
