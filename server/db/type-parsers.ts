import pg from 'pg'

type Parse = (text: string) => unknown

/** `2026-03-31 10:00:00.5+00` → `2026-03-31T10:00:00.500Z`. Digits below the millisecond are truncated. */
export function timeText(text: string): string {
  const [, day, time, fraction = '', zone] = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?([+-].+)$/.exec(text) ?? []
  if (!day || !time || !zone) return text
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0')
  if (zone === '+00') return `${day}T${time}.${milliseconds}Z`
  const offset = zone.includes(':') ? zone : `${zone}:00`
  return new Date(`${day}T${time}.${milliseconds}${offset.slice(0, 6)}`).toISOString()
}

const { builtins } = pg.types
const same: Parse = (text) => text

const scalars = new Map<number, Parse>([
  [builtins.TIMESTAMPTZ, timeText],
  [builtins.DATE, same],
  [builtins.TIMESTAMP, same],
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
])
const textArray = 1009
const arrays = new Map<number, Parse>([
  [1185, timeText],
  [1182, same],
  [1115, same],
  [1016, Number],
  [1231, Number],
])

type Nested = string | null | Nested[]
const deep = (value: Nested, parse: Parse): unknown =>
  Array.isArray(value) ? value.map((item) => deep(item, parse)) : value === null ? null : parse(value)

/** Wire formats, equal on both engines: times as ISO text, days as text, integers and exact numerics as numbers. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    const scalar = format === 'binary' ? undefined : scalars.get(oid)
    if (scalar) return scalar
    const item = format === 'binary' ? undefined : arrays.get(oid)
    if (!item) return pg.types.getTypeParser(oid, format)
    const split = pg.types.getTypeParser(textArray as number) as (text: string) => Nested
    return (text: string) => deep(split(text), item)
  }) as typeof pg.types.getTypeParser,
}
