import { useRef, useState } from 'react'
import { useSay } from '#fields/definitions.tsx'
import type { InputKind, InputProps } from '#fields/field-kind.ts'
import { inputWords } from '#fields/input-words.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { isEmpty } from '#schema/form/is-empty.ts'
import { constantDefault } from '#schema/form/presets.ts'
import { valueAt } from '#schema/rule.ts'
import { TextAreaInput } from '#ui/antd/lazy-antd.ts'
import { Button } from '#ui/input/button.tsx'
import { FormGrid } from '#ui/input/form-grid.tsx'
import { IconButton } from '#ui/input/icon-button.tsx'
import { InvalidJson } from './invalid-json.ts'

/** The parts of a new row, or of a group whose first part is filled: defaults, else null. */
const newParts = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, part]) => [name, constantDefault(part) ?? null]))

/** A group without values is null. */
function withPart(fields: Fields, value: unknown, name: string, part: unknown): Record<string, unknown> | null {
  const names = Object.keys(fields)
  const before = isEmpty(value) && !isEmpty(part) ? newParts(fields) : value
  const next = Object.fromEntries(names.map((key) => [key, (key === name ? part : valueAt(before, key)) ?? null]))
  return names.every((key) => isEmpty(next[key])) ? null : next
}

/** Parts of an optional group are required only once one of them is filled. */
function asOptional(part: Field): Field {
  const { required: _required, ...rest } = part
  return rest
}

function Group({ field, path, value, onChange, drawInput }: InputProps<'group'>) {
  const sayLabel = useSay()
  const isLeftOut = isEmpty(value) && !field.required
  const { sections = [] } = field
  const inSections = new Set(sections.flatMap(({ fields }) => fields))
  const drawn = (names: readonly string[]) => (
    <FormGrid>
      {names.map((name) => {
        const part = field.fields[name]
        return (
          part &&
          drawInput({
            field: isLeftOut ? asOptional(part) : part,
            path: `${path}.${name}`,
            value: valueAt(value, name),
            onChange: (next) => onChange(withPart(field.fields, value, name, next)),
          })
        )
      })}
    </FormGrid>
  )
  const rest = Object.keys(field.fields).filter((name) => !inSections.has(name))
  return (
    <>
      {sections.map(({ label, fields }) => (
        <fieldset className="field-section" key={label[0]}>
          <legend>{sayLabel(label)}</legend>
          {drawn(fields)}
        </fieldset>
      ))}
      {rest.length > 0 && drawn(rest)}
    </>
  )
}

const emptyParts = (fields: Fields) => Object.fromEntries(Object.keys(fields).map((name) => [name, null]))

function List({ field, path, value, onChange, drawInput }: InputProps<'list'>) {
  const sayLabel = useSay()
  const box = useRef<HTMLDivElement>(null)
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  const nameOf = (index: number) =>
    field.divides ? sayLabel(field.divides.label, { number: index + 1 }) : `${sayLabel(field.label)} ${index + 1}`
  /** The pressed button goes, or stands behind the new row: the focus moves to the row at this place, else to the last button. */
  const focusRow = (index: number) =>
    requestAnimationFrame(() => {
      const row = box.current?.children[index]
      if (row instanceof HTMLElement) row.focus()
    })
  const replace = (index: number, item: unknown) => onChange(items.map((before, at) => (at === index ? item : before)))
  return (
    <div className="field-items" ref={box}>
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a list have no identity but their place
        <fieldset className="field-item" key={index} tabIndex={-1}>
          <legend>{nameOf(index)}</legend>
          <FormGrid>
            {Object.entries(field.fields).map(([name, part]) =>
              drawInput({
                field: part,
                path: `${path}.${index}.${name}`,
                value: valueAt(item, name),
                onChange: (next) => replace(index, { ...emptyParts(field.fields), ...(item as object), [name]: next }),
              }),
            )}
          </FormGrid>
          <IconButton
            icon="trash"
            label={sayLabel(inputWords.remove, { name: nameOf(index) })}
            onClick={() => {
              onChange(items.filter((_, at) => at !== index))
              focusRow(index)
            }}
          />
        </fieldset>
      ))}
      <Button
        size="small"
        icon="plus"
        disabled={items.length >= (field.maxItems ?? 100)}
        onClick={() => {
          onChange([...items, newParts(field.fields)])
          focusRow(items.length)
        }}
      >
        {sayLabel(inputWords.add)}
      </Button>
    </div>
  )
}

const jsonText = (value: unknown): string => {
  if (value instanceof InvalidJson) return value.text
  return value === null || value === undefined ? '' : JSON.stringify(value, null, 2)
}

function readJson(text: string): unknown {
  if (text.trim() === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return new InvalidJson(text)
  }
}

function Json({ value, onChange, control }: InputProps<'json'>) {
  const [draft, setDraft] = useState({ value, text: jsonText(value) })
  const text = draft.value === value ? draft.text : jsonText(value)
  const handleChange = (next: string) => {
    const read = readJson(next)
    setDraft({ value: read, text: next })
    onChange(read)
  }
  return <TextAreaInput {...control} code value={text} onChange={handleChange} />
}

export const structureInputs = {
  group: { Input: Group, captioned: true },
  list: { Input: List, captioned: true },
  json: { Input: Json },
} satisfies { group: InputKind<'group'>; list: InputKind<'list'>; json: InputKind<'json'> }
