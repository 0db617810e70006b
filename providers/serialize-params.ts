type ParamValue = string | number | boolean | Date | null | undefined

/** Query parameters: an array repeats its key without brackets; null and undefined are omitted. */
export function serializeParams(params: Record<string, ParamValue | readonly ParamValue[]>): string {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(params)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === null || item === undefined) continue
      query.append(key, item instanceof Date ? item.toISOString() : String(item))
    }
  }
  return query.toString()
}
