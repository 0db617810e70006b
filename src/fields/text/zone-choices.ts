const pageSize = 50

export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

const zoneNames = (): readonly string[] =>
  typeof Intl.supportedValuesOf === 'function' ? Intl.supportedValuesOf('timeZone') : []

/** `GMT+2`, as it is today. */
function offsetOf(zone: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts()
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

/** All zones of the browser, UTC, and the own one, which may have an older name or a newer one than the browser knows. */
export const zonesWith = (own: string): string[] => [...new Set([own, ...zoneNames(), 'UTC'])].filter(Boolean)

const plain = (text: string) => text.toLowerCase().replaceAll(/[_/]/g, ' ')

/** The first zones whose name contains all words of the search, the viewer's own zone first. */
export function zoneChoices(search: string, own: string = browserZone()): { value: string; label: string; hint: string }[] {
  const words = plain(search).split(' ').filter(Boolean)
  const found = zonesWith(own).filter((name) => words.every((word) => plain(name).includes(word)))
  return found.slice(0, pageSize).map((name) => ({ value: name, label: name, hint: offsetOf(name) }))
}
