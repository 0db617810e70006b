const blank = /^(?:[\s\p{Cc}\p{Cf}\u115F\u1160\u2800\u3164\uFFA0]|\u034F|[\uFE00-\uFE0F])*$/u

/** The text, or nothing where only characters that draw nothing are left of it. */
export const visible = (text: string): string => (blank.test(text) ? '' : text)

/** Without the marks that turn what stands behind them: a name with one would turn the names that it is joined with. */
export const upright = (text: string): string => text.replace(/[\u202A-\u202E\u2066-\u2069]/g, '')

/** False for what the database does not store: zero bytes and halves of a character. */
export const storable = (text: string): boolean =>
  !text.includes('\u0000') && !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text)

/** Accepts separated bytes as on screens and labels: `E7 C6 62`, `e7:c6:62`. Capitals make equal bytes equal texts. */
export const inCapitals = (value: string): string => value.replace(/[\s:.-]+/g, '').toUpperCase()

/** Accepts phone numbers as people write them: `+7 (495) 123-45-67`, `0044 20 7946 0958`. */
export const asDialled = (value: string): string => value.replace(/[\s().\u2010-\u2015-]+/g, '').replace(/^00/, '+')
