import { intlOf, type Language } from '#schema/words.ts'
import { decimalsOf } from './exact.ts'

/** A row per currency: the figures behind its point. `Intl` knows its sign and its name. */
export const currencies = {
  AED: { digits: 2 },
  BYN: { digits: 2 },
  CHF: { digits: 2 },
  CNY: { digits: 2 },
  EUR: { digits: 2 },
  GBP: { digits: 2 },
  INR: { digits: 2 },
  JPY: { digits: 0 },
  KZT: { digits: 2 },
  PLN: { digits: 2 },
  RUB: { digits: 2 },
  TRY: { digits: 2 },
  USD: { digits: 2 },
} as const satisfies Record<string, { digits: number }>

export type Currency = keyof typeof currencies

export const isCurrency = (value: unknown): value is Currency => typeof value === 'string' && Object.hasOwn(currencies, value)

/** The figures behind the point of an amount whose currency another field holds. */
const usualDigits = 2

type MoneyFacts = { currency?: Currency; digits?: number }

/** Most figures behind the point of an amount. */
export const moneyDigits = ({ currency, digits }: MoneyFacts): number =>
  digits ?? (currency ? currencies[currency].digits : usualDigits)

/** An amount as the language writes it, never with fewer figures than it has. */
export function formatMoney(value: number, currency: unknown, facts: MoneyFacts, language: Language): string {
  const known = isCurrency(currency) ? currency : undefined
  const least = known ? currencies[known].digits : moneyDigits(facts)
  const digits = Math.max(least, decimalsOf(value))
  const style = known ? ({ style: 'currency', currency: known } as const) : {}
  const figures = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return new Intl.NumberFormat(intlOf(language), { ...style, ...figures }).format(value)
}
