import { useLanguage } from '#fields/definitions.tsx'
import type { DisplayProps, FieldIn, FieldKind, Row } from '#fields/field-kind.ts'
import type { TypesCompared } from '#schema/field-types.ts'
import { formatBytes, formatCount, formatDuration, formatNumber } from '#schema/format/format.ts'
import { fraction, measuredText, withSymbol } from '#schema/format/measured-text.ts'
import { formatMoney } from '#schema/format/money.ts'
import { unitStep, units } from '#schema/format/units.ts'
import { valueAt } from '#schema/rule.ts'
import { type Label, type Language, say } from '#schema/words.ts'

type NumberType = TypesCompared<'number'>
type Write<T extends NumberType> = (value: number, field: FieldIn<T>, language: Language) => string

const most = 6

/** A scaled value keeps three significant digits: 1.23 kWh, 12.5 kWh. */
const scaledDigits = (value: number) => (Math.abs(value) < 10 ? 2 : 1)

/** 12 500 Wh → 12.5 kWh, in Russian 12,5 кВт·ч. */
function writeQuantity(value: number, field: FieldIn<'quantity'>, language: Language): string {
  const step = unitStep(field.unit, value, field.scale)
  const shown = value / step.divide
  const scaled = field.scale ? 1 : scaledDigits(shown)
  const digits = step.divide > 1 ? scaled : (field.digits ?? fraction(value, most))
  return withSymbol(formatNumber(shown, digits, language), step.symbol, language)
}

const plainNumber = (value: number, language: Language) => formatNumber(value, fraction(value, most), language)

function writeInteger(value: number, field: FieldIn<'integer'>, language: Language): string {
  const label = field.options?.[value]
  return label ? say(label, language) : plainNumber(value, language)
}

const writers: { [T in NumberType]: Write<T> } = {
  integer: writeInteger,
  decimal: (value, field, language) => formatNumber(value, field.digits ?? fraction(value, most), language),
  money: (value, field, language) => formatMoney(value, field.currency, field, language),
  quantity: writeQuantity,
  percent: (value, field, language) =>
    withSymbol(formatNumber(value, field.digits ?? fraction(value, most), language), ['%', '%'], language),
  bytes: (value, _field, language) => formatBytes(value, language),
  duration: (value, _field, language) => formatDuration(value, language),
  count: (value, _field, language) => formatCount(value, language),
}

function write(field: FieldIn<NumberType>, value: unknown, language: Language): string {
  if (typeof value !== 'number' || !Number.isFinite(value)) return String(value)
  const writer = writers[field.type] as Write<NumberType>
  return writer(value, field, language)
}

/** The stored value, when the shown one is rounded. */
function exact(field: FieldIn<NumberType>, value: unknown, shown: string, language: Language): string | undefined {
  if (typeof value !== 'number') return undefined
  const symbol: Label | undefined = 'unit' in field && field.unit ? units[field.unit].symbol : undefined
  const plain = plainNumber(value, language)
  const whole = symbol ? withSymbol(plain, symbol, language) : plain
  return whole === shown ? undefined : whole
}

/** The field beside a number that says its unit or currency: in the row, in a group, or in a row of a list. */
const besideOf = (row: Row, path: string, name = ''): unknown => valueAt(row, path.replace(/[^.]*$/, name))

function Display({ field, path, value, row }: DisplayProps<NumberType>) {
  const language = useLanguage()
  const unit = field.type === 'decimal' && besideOf(row, path, field.unitOf)
  const money = field.type === 'money' && typeof value === 'number'
  const shown = money
    ? formatMoney(value, field.currency ?? besideOf(row, path, field.currencyOf), field, language)
    : unit
      ? measuredText(value, unit, language)
      : write(field, value, language)
  return (
    <span className="field-number" title={unit || money ? undefined : exact(field, value, shown, language)}>
      {shown}
    </span>
  )
}

const kind = {
  Display,
  toText: (field: FieldIn<NumberType>, value: unknown, { language }: { language: Language }) => write(field, value, language),
  align: 'end',
} satisfies FieldKind<NumberType>

export const quantityKinds = {
  integer: kind,
  decimal: kind,
  money: kind,
  quantity: kind,
  percent: kind,
  bytes: kind,
  duration: kind,
  count: kind,
} satisfies { [T in NumberType]: FieldKind<T> }
