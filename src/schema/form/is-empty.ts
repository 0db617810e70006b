/** No value at all: an empty text or list is one. */
export const isAbsent = (value: unknown): boolean => value === null || value === undefined

/** No value: null, undefined, an empty text or an empty list. Zero and false are values. */
export const isEmpty = (value: unknown): boolean =>
  isAbsent(value) || value === '' || (Array.isArray(value) && value.length === 0)
