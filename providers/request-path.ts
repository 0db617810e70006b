/**
 * Fills `{id}` of a path of the contract; every value is one encoded segment.
 * Throws when a value is missing or would climb out of its segment.
 */
export function fillPath(template: string, values: Readonly<Record<string, string | number | undefined>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? '')
    // Encoding leaves dots alone, and a browser resolves `..` before the request leaves.
    if (value === '' || /^\.{1,2}$/.test(value)) throw new Error(`No ${name} provided`)
    return encodeURIComponent(value)
  })
}
