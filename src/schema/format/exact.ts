/** Significant digits that a double carries exactly; decimals keep as many. */
export const mostFigures = 15

/** Significant digits and decimals of a number as written. */
function writtenAs(value: number): { figures: number; decimals: number } {
  const [mantissa = '', exponent = '0'] = String(Math.abs(value)).split('e')
  const [whole = '', behind = ''] = mantissa.split('.')
  const figures = `${whole}${behind}`.replace(/^0+/, '').length + Math.max(0, Number(exponent) - behind.length)
  return { figures, decimals: Math.max(0, behind.length - Number(exponent)) }
}

/** True when the number has no more digits than a double carries exactly. */
export const isExact = (value: number): boolean => Number.isFinite(value) && writtenAs(value).figures <= mostFigures

export const decimalsOf = (value: number): number => writtenAs(value).decimals

/** A number without an exponent, for files that other programs read. */
export const plainNumber = (value: number): string => {
  const text = String(value)
  return text.includes('e-') ? value.toFixed(decimalsOf(value)) : text
}
