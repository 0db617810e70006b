/** True for a calendar day: `2026-03-31`. */
export const isDate = (value: string): boolean => {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(value) ? new Date(`${value}T00:00:00Z`) : undefined
  return !!date && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value)
}

const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/** True for an ISO 8601 time with offset. */
export const isTime = (value: string): boolean =>
  timePattern.test(value) && isDate(value.slice(0, 10)) && !Number.isNaN(Date.parse(value))

/** No record is of the century before: an earlier year is a slip of the keyboard, and some programs cannot hold it. */
export const firstYear = 1900

export const isSinceFirstYear = (value: string): boolean => Number(value.slice(0, 4)) >= firstYear
