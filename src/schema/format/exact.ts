/** Figures that a JSON number carries without loss: as many are kept of a decimal. */
export const mostFigures = 15

/** How a number is written: all its figures, and those behind the point. */
function writtenAs(value: number): { figures: number; decimals: number } {
  const [mantissa = '', exponent = '0'] = String(Math.abs(value)).split('e')
  const [whole = '', behind = ''] = mantissa.split('.')
  const figures = `${whole}${behind}`.replace(/^0+/, '').length + Math.max(0, Number(exponent) - behind.length)
  return { figures, decimals: Math.max(0, behind.length - Number(exponent)) }
}

/** True for a number that is the very one that was written. */
export const isExact = (value: number): boolean => Number.isFinite(value) && writtenAs(value).figures <= mostFigures

/** The figures behind the point. */
export const decimalsOf = (value: number): number => writtenAs(value).decimals

/** A number without an exponent, for files that other programs read. */
export const plainNumber = (value: number): string => {
  const text = String(value)
  return text.includes('e-') ? value.toFixed(decimalsOf(value)) : text
}
