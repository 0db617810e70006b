/** Days and times as they are exchanged: `2026-05-31`, `2026-05-31T14:05`. */
export const wireOf = { day: 'YYYY-MM-DD', moment: 'YYYY-MM-DDTHH:mm' } as const

/** `DD.MM.YYYY`, as the locale orders day, month and year. */
const dayFormat = (locale: string): string =>
  new Intl.DateTimeFormat(locale, { year: 'numeric', month: '2-digit', day: '2-digit' })
    .formatToParts(0)
    .map(({ type, value }) => ({ day: 'DD', month: 'MM', year: 'YYYY' })[String(type)] ?? value)
    .join('')

const onlyDay = (locale: string) => [dayFormat(locale), wireOf.day, 'D.M.YYYY', 'D/M/YYYY']

const withTime = (locale: string) => [
  `${dayFormat(locale)} HH:mm`,
  wireOf.moment,
  'YYYY-MM-DD H:mm',
  'D.M.YYYY H:mm',
  'D/M/YYYY H:mm',
]

/** Formats that a person may type, the displayed one first. */
export const typedFormats = { day: onlyDay, moment: withTime } as const
