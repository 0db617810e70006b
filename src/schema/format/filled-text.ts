/** Placeholders of a text that names values by their path: `{cellVoltageMaxMv}`, `{setting.socMinPct}`, `{connection.lastPacketAt.ago}`. */
const place = /\{([\w.]+)\}/g

/** The names that a text asks for. */
export const placesOf = (text: string): string[] => [...text.matchAll(place)].flatMap(([, name]) => name ?? [])

/**
 * A text with its values. A part in square brackets is left out where one of its values is not known; outside of brackets the
 * placeholder stays.
 */
export function filledText(text: string, factOf: (name: string) => string | undefined): string {
  const fill = (part: string) => part.replace(place, (mark, name: string) => factOf(name) || mark)
  return fill(text.replace(/\[([^\]]*)\]/g, (_, part: string) => (placesOf(part).every(factOf) ? part : '')))
}
