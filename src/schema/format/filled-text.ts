/** A value that ends with a full stop, such as a Russian date, before the full stop of the sentence. */
const doubleStop = /(?<!\.)\.\.(?!\.)/g

/** Placeholders that name a value by path: `{cellVoltageMaxMv}`, `{setting.socMinPct}`, `{connection.lastPacketAt.ago}`. */
const place = /\{([\w.]+)\}/g

/** A number stays on one line with what follows it, such as its unit: the space after it becomes a no-break space. */
const unbroken = (value: string | undefined) => value?.replace(/(\d) /g, '$1\u00a0')

export const placesOf = (text: string): string[] => [...text.matchAll(place)].flatMap(([, name]) => name ?? [])

/**
 * Fills a template. A part in square brackets is omitted when one of its values is unknown; outside of brackets the placeholder
 * stays.
 */
export function filledText(text: string, factOf: (name: string) => string | undefined): string {
  const fill = (part: string) => part.replace(place, (mark, name: string) => unbroken(factOf(name)) || mark)
  const known = text.replace(/\[([^\]]*)\]/g, (_, part: string) => (placesOf(part).every(factOf) ? part : ''))
  return fill(known).replace(doubleStop, '.')
}
