const dayMs = 86_400_000

export type TickStyle = { locale: string; zone: string | undefined }

const formats = new Map<string, Intl.DateTimeFormat>()
function format({ locale, zone }: TickStyle, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = [locale, zone, ...Object.entries(options).flat()].join()
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(locale, { ...options, ...(zone ? { timeZone: zone } : {}) })
  formats.set(key, made)
  return made
}

type Level = { upToMs: number; first: Intl.DateTimeFormatOptions; second: Intl.DateTimeFormatOptions }

/** Tick labels by tick distance, with a second line where the larger unit changes. */
const levels: readonly Level[] = [
  {
    upToMs: 60_000,
    first: { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
    second: { day: 'numeric', month: 'short' },
  },
  {
    upToMs: dayMs,
    first: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    second: { day: 'numeric', month: 'short' },
  },
  { upToMs: 27 * dayMs, first: { day: 'numeric', month: 'short' }, second: { year: 'numeric' } },
  { upToMs: Number.POSITIVE_INFINITY, first: { month: 'short' }, second: { year: 'numeric' } },
]

/** Labels of a time axis; a second line where the day, or the year, differs from the tick before. */
export function tickTexts(ticksMs: readonly number[], stepMs: number, style: TickStyle): string[] {
  const level = levels.find(({ upToMs }) => stepMs < upToMs)
  if (!level) return []
  let before = ''
  return ticksMs.map((atMs) => {
    const below = format(style, level.second).format(atMs)
    const text = format(style, level.first).format(atMs)
    const isNew = below !== before
    before = below
    return isNew ? `${text}\n${below}` : text
  })
}
