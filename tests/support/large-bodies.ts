import { multipart } from './multipart.ts'

export type LargeBody = { payload: Buffer; headers: Record<string, string> }

export const mib = 1024 * 1024

const filled = (piece: string | Buffer): Buffer => Buffer.alloc(mib, piece)
const json = (text: string | Buffer): LargeBody => ({
  payload: Buffer.from(text),
  headers: { 'content-type': 'application/json' },
})
const binary = (piece: string | Buffer): LargeBody => ({
  payload: filled(piece),
  headers: { 'content-type': 'application/octet-stream' },
})
const unknownKeys = () =>
  JSON.stringify(Object.fromEntries(Array.from({ length: 80_000 }, (_, key) => [`k${key}`, 1]))).slice(0, mib)

/** Processor time of this machine for the least that such a body costs: one call of the parser. */
function parserMs(): number {
  const text = unknownKeys()
  const once = () => {
    const started = process.cpuUsage()
    JSON.parse(text)
    const { user, system } = process.cpuUsage(started)
    return (user + system) / 1000
  }
  return Math.min(...Array.from({ length: 8 }, once))
}
/** The limits of a usual machine, and on a slower one what the parser takes there. */
export const mostStretchMs = Math.max(50, 2.5 * parserMs())
export const mostWorkMs = 2 * mostStretchMs

/** A mebibyte each, made to cost much. */
export const largeBodies: Readonly<Record<string, LargeBody>> = {
  'unknown keys': json(unknownKeys()),
  'one long text': json(`{"email":"${'a'.repeat(mib - 12)}"}`),
  'nested lists': json(filled('[')),
  zeros: binary('\0'),
  'starts of frames': binary(Buffer.from('e55a0101', 'hex')),
  'a table of short rows': { payload: filled('X\n'), headers: { 'content-type': 'text/csv' } },
  'a table of empty lines': {
    payload: Buffer.concat([filled('\n'), Buffer.from('x')]),
    headers: { 'content-type': 'text/csv' },
  },
  'a form with a file': multipart([{ name: 'file', filename: 'a.bin', content: filled('x') }]),
  'a form with many fields': multipart(Array.from({ length: 9_000 }, (_, index) => ({ name: `f${index}`, content: 'x' }))),
}
