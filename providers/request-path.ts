/**
 * Fills `{id}` in a path of the contract; every value is one encoded segment. Throws when a value is missing or would traverse
 * the path.
 */
export function fillPath(template: string, values: Readonly<Record<string, string | number | undefined>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? '')
    // Encoding keeps dots, and a browser resolves `..` before sending.
    if (value === '' || /^\.{1,2}$/.test(value)) throw new Error(`No ${name} provided`)
    return encodeURIComponent(value)
  })
}
