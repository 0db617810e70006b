import type { Label } from '#schema/words.ts'

/** Bits of `eventFlags`. */
const eventFlags: Readonly<Record<number, Label>> = {
  20: ['Contactor fault', 'Неисправность контактора'],
  21: ['Fan fault', 'Неисправность вентилятора'],
  22: ['Insulation fault', 'Нарушение изоляции'],
  23: ['Door open', 'Дверца открыта'],
  25: ['Internal fault', 'Внутренняя неисправность'],
  26: ['Sensor fault', 'Неисправность датчика'],
  27: ['Fuse open', 'Предохранитель сгорел'],
  30: ['Pre-charge failed', 'Сбой предзаряда'],
}

const bits = Array.from({ length: 32 }, (_, bit) => bit)

/** Labels of the set flags; an unnamed bit shows its number. */
export const flagsOf = (flags: number): Label[] =>
  bits
    // The operators of JavaScript would take the highest bit for a sign.
    .filter((bit) => Math.floor(flags / 2 ** bit) % 2 === 1)
    .map((bit) => eventFlags[bit] ?? [`bit ${bit}`, `бит ${bit}`])
