import type { ReactNode } from 'react'
import type { Field, FieldOf, FieldType } from '#schema/field-types.ts'
import type { Filter } from '#schema/list-query.ts'
import type { Language } from '#schema/words.ts'
import type { ControlProps } from '#ui/input/control-props.ts'

/** A field of one type, or of any of several. */
export type FieldIn<T extends FieldType> = { [K in T]: FieldOf<K> }[T]

/** A record as it came over the wire. */
export type Row = Readonly<Record<string, unknown>>

/** Formats a nested field; empty for no value. */
export type WritePart = (field: Field, value: unknown) => string

/** In which language and time zone a value is written. */
export type Wording = { language: Language; zone?: string | undefined }

/** A cell has one line, a record has room; `link` = the text of a link, so nothing in it may be one. */
export type Place = 'cell' | 'record' | 'link'

/** Renders a nested field. */
export type DrawPart = (part: { field: Field; path: string; value: unknown; place: Place }) => ReactNode

/** `value` is never null: FieldDisplay draws the dash. */
export type DisplayProps<T extends FieldType = FieldType> = {
  field: FieldIn<T>
  path: string
  value: unknown
  row: Row
  place: Place
  draw: DrawPart
  write: WritePart
}

/** `path` is dotted inside groups and lists; `messages` are faults by path, for inputs that hold others. */
export type InputProps<T extends FieldType = FieldType> = {
  field: FieldIn<T>
  path: string
  value: unknown
  onChange: (value: unknown) => void
  control: ControlProps
  record: Row
  messages: Readonly<Record<string, string>>
  /** Draws the inputs of fields inside this one. */
  drawInput: (part: InputPart) => ReactNode
}

export type InputPart = { field: Field; path: string; value: unknown; onChange: (value: unknown) => void }

/** The filters of one field, and how to replace them. */
export type FilterProps<T extends FieldType = FieldType> = {
  field: FieldIn<T>
  path: string
  filters: readonly Filter[]
  onChange: (filters: readonly Filter[]) => void
  close: () => void
}

/**
 * Rendering of a field type in lists and records. Inputs and filters have their own registries (inputs.ts, filter-form.tsx), so
 * that a list does not load them.
 */
export type FieldKind<T extends FieldType = FieldType> = {
  Display(props: DisplayProps<T>): ReactNode
  /** The value as plain text: titles, chips, comparisons. Never called with null. */
  toText(field: FieldIn<T>, value: unknown, wording: Wording, write: WritePart): string
  /** Numbers align right. */
  align?: 'end'
  /** Takes the whole width of a record or a form. */
  wide?: true
}

/** Rendering of a type in forms. */
export type InputKind<T extends FieldType = FieldType> = {
  Input(props: InputProps<T>): ReactNode
  /** The input has its own caption (a check box, a group of inputs). */
  captioned?: true
}
