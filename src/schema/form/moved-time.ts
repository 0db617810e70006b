const form = /^(\{[A-Za-z][\w.]*\}|\$now|\$today)([+-])(\d{1,4})([dwmy])$/

export type Move = { from: string; count: number; unit: 'd' | 'w' | 'm' | 'y' }

/** A default that is so long before or after another value: `$today+90d`, `{startsOn}+1y`. Days, weeks, months and years. */
export function moveOf(preset: string): Move | undefined {
  const [, from = '', sign, count, unit] = form.exec(preset) ?? []
  if (unit !== 'd' && unit !== 'w' && unit !== 'm' && unit !== 'y') return undefined
  return { from, count: Number(count) * (sign === '-' ? -1 : 1), unit }
}

/** A day or a moment moved in UTC; the day of a shorter month is its last one: 31 January + 1 month is 28 February. */
export function movedTime(time: string, { count, unit }: Move): string | undefined {
  const at = new Date(time)
  if (Number.isNaN(at.getTime())) return undefined
  const day = at.getUTCDate()
  if (unit === 'd' || unit === 'w') at.setUTCDate(day + count * (unit === 'w' ? 7 : 1))
  else {
    at.setUTCDate(1)
    at.setUTCMonth(at.getUTCMonth() + count * (unit === 'y' ? 12 : 1))
    const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()
    at.setUTCDate(Math.min(day, last))
  }
  const moved = Number.isNaN(at.getTime()) ? '' : at.toISOString()
  // Years beyond 9999 have another form, which no column takes.
  if (!/^\d{4}-/.test(moved)) return undefined
  return /^\d{4}-\d{2}-\d{2}$/.test(time) ? moved.slice(0, 10) : moved
}
