import { createHash } from 'node:crypto'
import { type LayoutRow, wireLayouts } from '#resources/fleet/wire-layouts.ts'
import { usualProduct } from '#resources/shared/products.ts'
import { channels, statusFields } from './channels.ts'
import { type FrameType, ownFields, protocolVersion } from './frame-layout.ts'
import type { WireField } from './wire-field.ts'

/** Payload fields of one product and version in byte order, starting with the board's status. */
export type Layout = {
  version: number
  fieldsOf: (type: FrameType) => readonly WireField[]
  /**
   * So many fields a payload has at least. Channels are added at the end of a sample: what an older board leaves out there was not
   * measured. The fields of the other types belong together, but for those that came later.
   */
  leastOf: (type: FrameType) => number
}

const known: ReadonlyMap<string, WireField> = new Map(
  [...Object.values(ownFields).flat(), ...channels, ...statusFields].map((field) => [field.name, field]),
)

type NamedField = NonNullable<LayoutRow['status']>[number]

function fieldOf(given: NamedField): WireField {
  const name = typeof given === 'string' ? given : given.name
  const field = known.get(name)
  if (!field) throw new Error(`A layout names ${name}, which is no field of a frame`)
  if (typeof given === 'string') return field
  const { digits: _, ...rest } = field
  return { ...rest, ...given }
}

function layoutOf({ version, status, types = {} }: LayoutRow): Layout {
  const head = status?.map(fieldOf) ?? statusFields
  const own: Readonly<Partial<Record<FrameType, readonly NamedField[]>>> = types
  const all = Object.fromEntries(
    Object.entries(ownFields).map(([type, fields]) => [type, [...head, ...(own[type as FrameType]?.map(fieldOf) ?? fields)]]),
  )
  const fieldsOf = (type: FrameType) => all[type] ?? head
  const firstOf = (type: FrameType) => fieldsOf(type).filter((field: WireField) => !field.isLater)
  return { version, fieldsOf, leastOf: (type) => (type === 'TELEMETRY' ? head : firstOf(type)).length }
}

/** Layouts by product and version. */
export class Layouts {
  readonly #layouts: ReadonlyMap<string, ReadonlyMap<number, Layout>>
  /** Hash that changes whenever any byte may be decoded differently. */
  readonly tag: string

  constructor(rows: readonly LayoutRow[]) {
    const names = [...new Set(rows.map(({ product }) => product))]
    this.#layouts = new Map(
      names.map((name) => [
        name,
        new Map(rows.filter(({ product }) => product === name).map((row) => [row.version, layoutOf(row)])),
      ]),
    )
    const facts = JSON.stringify([rows, [...known.values()].map(({ name, kind, digits }) => [name, kind, digits])])
    this.tag = createHash('sha256').update(facts).digest('hex').slice(0, 6)
  }

  of(product: string | null | undefined, version: number): Layout | undefined {
    return this.#layouts.get(product ?? usualProduct)?.get(version)
  }

  /** Versions that boards of a product may use, ascending. */
  versionsOf(product: string | null | undefined): readonly number[] {
    return [...(this.#layouts.get(product ?? usualProduct)?.keys() ?? [])].toSorted((a, b) => a - b)
  }
}

export const knownLayouts = new Layouts(wireLayouts)

/** Version 1 of the control board. */
export const firstLayout = layoutOf({ product: usualProduct, version: protocolVersion })
