import fc from 'fast-check'

/** Part of a JSON schema. */
export type Described = {
  type?: string | string[]
  enum?: unknown[]
  anyOf?: Described[]
  properties?: Record<string, Described>
  items?: Described
}

export type Parameter = { name: string; in: string; schema?: Described }

/** Schemas of the query of a call, by name. */
export const describedQuery = (parameters: readonly Parameter[] = []): Record<string, Described> =>
  Object.fromEntries(parameters.flatMap((one) => (one.in === 'query' ? [[one.name, one.schema ?? {}]] : [])))

const hostile = fc.constantFrom<unknown>(
  '',
  ' ',
  '\u0000',
  '\ud800',
  '‮',
  "' or 1=1--",
  '%',
  '../..',
  '__proto__',
  'a'.repeat(3000),
  -1,
  1.5,
  2 ** 53,
  1e308,
  null,
  true,
  [],
  {},
  [[]],
  [null],
  { $ne: 1 },
  '9999-12-31T23:59:59Z',
  '2026-02-30',
  '1e9',
  'NaN',
)
const anything = fc.oneof(hostile, fc.jsonValue({ maxDepth: 2 }))

/** Values of a schema of the description, most of them of its kind, some of any. */
export function anyValue(schema: Described | undefined, depth = 0): fc.Arbitrary<unknown> {
  if (!schema || depth > 4) return anything
  if (schema.enum) return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...schema.enum) }, anything)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => anyValue(one, depth + 1)))
  const fitting: Record<string, () => fc.Arbitrary<unknown>> = {
    object: () => objectOf(schema.properties ?? {}, depth),
    array: () => fc.array(anyValue(schema.items, depth + 1), { maxLength: 3 }),
    string: () =>
      fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 20 }),
        fc.emailAddress(),
        fc.date({ noInvalidDate: true }).map((day) => day.toISOString()),
      ),
    integer: () => fc.oneof(fc.nat(100), fc.maxSafeInteger()),
    number: () => fc.double(),
    boolean: () => fc.boolean(),
  }
  const [type = ''] = [schema.type ?? ''].flat()
  return fc.oneof({ weight: 4, arbitrary: fitting[type]?.() ?? anything }, anything)
}

const objectOf = (properties: Record<string, Described>, depth: number): fc.Arbitrary<unknown> =>
  fc
    .record(Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, anyValue(one, depth + 1)])), {
      requiredKeys: [],
    })
    .chain((object) =>
      fc.oneof(
        { weight: 5, arbitrary: fc.constant(object) },
        fc.dictionary(fc.string({ maxLength: 10 }), anything, { maxKeys: 2 }).map((more) => ({ ...object, ...more })),
      ),
    )
