import type { ReactNode } from 'react'
import type { Field, FieldOf, FieldType } from '#schema/field-types.ts'
import type { Filter } from '#schema/list-query.ts'
import type { Language } from '#schema/words.ts'
import type { ControlProps } from '#ui/input/control-props.ts'

/** A field of one type, or of any type of a union. */
export type FieldIn<T extends FieldType> = { [K in T]: FieldOf<K> }[T]

/** A record as received from the API. */
export type Row = Readonly<Record<string, unknown>>

/** Formats a nested field; empty for no value. */
export type WritePart = (field: Field, value: unknown) => string

/** Language and time zone of formatted values. */
export type Wording = { language: Language; zone?: string | undefined }

/** A cell has one line, a record has room, a heading tells all; `link`: inside a link, where nested links are invalid HTML. */
export type Place = 'cell' | 'record' | 'heading' | 'link'

export type DrawPart = (part: { field: Field; path: string; value: unknown; place: Place }) => ReactNode

/** `value` is never null: FieldDisplay renders the dash. */
export type DisplayProps<T extends FieldType = FieldType> = {
  field: FieldIn<T>
  path: string
  value: unknown
  row: Row
  place: Place
  draw: DrawPart
  write: WritePart
}

/** `path` is dotted inside groups and lists; `messages` holds faults by path, for inputs with nested inputs. */
export type InputProps<T extends FieldType = FieldType> = {
  field: FieldIn<T>
  path: string
  value: unknown
  onChange: (value: unknown) => void
  control: ControlProps
  record: Row
  messages: Readonly<Record<string, string>>
  /** Renders the inputs of nested fields. */
  drawInput: (part: InputPart) => ReactNode
}

export type InputPart = { field: Field; path: string; value: unknown; onChange: (value: unknown) => void }

/** The filters of one field and their setter. */
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
  /** The value as plain text for titles, chips and comparisons. Never called with null. */
  toText(field: FieldIn<T>, value: unknown, wording: Wording, write: WritePart): string
  align?: 'end'
  /** Takes the full width of a record or a form. */
  wide?: true
}

/** Rendering of a type in forms. */
export type InputKind<T extends FieldType = FieldType> = {
  Input(props: InputProps<T>): ReactNode
  /** The input renders its own label (a check box, a group of inputs). */
  captioned?: true
  /** The input takes a whole row of the form: it grows with its values, and the inputs after it stay in pairs. */
  wide?: true
}
