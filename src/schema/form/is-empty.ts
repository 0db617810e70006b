/** No value: null, undefined, an empty text or an empty list. Zero and false are values. */
export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
