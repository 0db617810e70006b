import { intlOf, type Language } from '#schema/words.ts'
import { fraction } from './measured-text.ts'

/** Decimals by currency. `Intl` knows symbol and name. */
export const currencies = {
  AED: 2,
  BYN: 2,
  CHF: 2,
  CNY: 2,
  EUR: 2,
  GBP: 2,
  INR: 2,
  JPY: 0,
  KZT: 2,
  PLN: 2,
  RUB: 2,
  TRY: 2,
  USD: 2,
} as const satisfies Record<string, number>

export type Currency = keyof typeof currencies

export const isCurrency = (value: unknown): value is Currency => typeof value === 'string' && Object.hasOwn(currencies, value)

/** Limit of any number. */
const mostDigits = 15
/** Decimals of an amount whose currency is in another field. */
const usualDigits = 2

type MoneyFacts = { currency?: Currency; digits?: number }

/** Maximum number of decimals of an amount. */
export const moneyDigits = ({ currency, digits }: MoneyFacts): number =>
  digits ?? (currency ? currencies[currency] : usualDigits)

/** An amount in the locale's format, never with fewer decimals than it has. `Intl` knows the minimum of a currency. */
export function formatMoney(
  value: number,
  currency: unknown,
  { digits = usualDigits }: MoneyFacts,
  language: Language,
): string {
  const isCode = typeof currency === 'string' && /^[A-Z]{3}$/.test(currency)
  return new Intl.NumberFormat(intlOf(language), {
    maximumFractionDigits: Math.max(digits, fraction(value, mostDigits)),
    ...(isCode ? { style: 'currency', currency } : { minimumFractionDigits: digits }),
  }).format(value)
}
