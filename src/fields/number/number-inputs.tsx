import { useState } from 'react'
import { useLanguage, useSay } from '#fields/definitions.tsx'
import type { FieldIn, InputKind, InputProps } from '#fields/field-kind.ts'
import { fieldText } from '#fields/field-text.ts'
import { inputWords } from '#fields/input-words.ts'
import type { TypesCompared } from '#schema/field-types.ts'
import { formatDuration } from '#schema/format/format.ts'
import { readDuration } from '#schema/format/read-duration.ts'
import { units } from '#schema/format/units.ts'
import type { Label, Language } from '#schema/words.ts'
import { NumberInput, SelectInput } from '#ui/antd/lazy-antd.ts'
import type { ControlProps } from '#ui/input/control-props.ts'
import { TextInput } from '#ui/input/text-input.tsx'
import { classes } from '#ui/theme/classes.ts'

type NumberType = TypesCompared<'number'>
/** A duration has an input of its own. */
type PlainType = Exclude<NumberType, 'duration'>

const unitLabels: { [T in PlainType]: (field: FieldIn<T>) => Label | undefined } = {
  integer: () => undefined,
  decimal: () => undefined,
  money: ({ currency }) => currency && [currency, currency],
  quantity: (field) => units[field.unit].symbol,
  percent: () => ['%', '%'],
  bytes: () => ['b', 'б'],
  count: () => undefined,
}

function unitOf(field: FieldIn<PlainType>): Label | undefined {
  const find = unitLabels[field.type] as (field: FieldIn<PlainType>) => Label | undefined
  return find(field)
}

/** A large value in a readable unit: 215040 Wh = 215.0 kWh. */
function scaledText(field: FieldIn<PlainType>, value: unknown, language: Language): string | undefined {
  if (typeof value !== 'number' || !isScaled[field.type]) return undefined
  const shown = fieldText(field, value, { language })
  const digits = (text: string) => text.replace(/[^\d]/g, '')
  return digits(shown) === digits(String(value)) ? undefined : `= ${shown}`
}

/** The control with a reading aid below it as a part of its description, and that aid. */
function withAid(control: ControlProps, text: string | undefined) {
  if (!text) return { described: control, aid: undefined }
  const id = `${control.id}-aid`
  return {
    described: { ...control, 'aria-describedby': classes(id, control['aria-describedby']) },
    aid: (
      <span className="field-scaled" id={id}>
        {text}
      </span>
    ),
  }
}

/** Types whose large values are shown scaled. */
const isScaled: Record<PlainType, boolean> = {
  integer: false,
  decimal: false,
  money: false,
  quantity: true,
  percent: false,
  bytes: true,
  count: false,
}

function Input({ field, value, onChange, control }: InputProps<PlainType>) {
  const sayLabel = useSay()
  const language = useLanguage()
  const unit = unitOf(field)
  const { described, aid } = withAid(control, scaledText(field, value, language))
  return (
    <>
      <NumberInput
        {...described}
        unit={unit && sayLabel(unit)}
        value={typeof value === 'number' || typeof value === 'string' ? value : undefined}
        onChange={(next) => onChange(next ?? null)}
      />
      {aid}
    </>
  )
}

/** An integer with named options is a select. */
function Integer(props: InputProps<'integer'>) {
  const sayLabel = useSay()
  const { field, value, onChange, control } = props
  if (!field.options) return <Input {...props} />
  const options = Object.entries(field.options).map(([key, label]) => ({ value: key, label: sayLabel(label) }))
  return (
    <SelectInput
      {...control}
      options={options}
      clearable={!field.required}
      value={typeof value === 'number' ? String(value) : undefined}
      onChange={(next: string | undefined) => onChange(next === undefined ? null : Number(next))}
    />
  )
}

const kind = { Input } satisfies InputKind<PlainType>

/** A duration as people type it, `90 min` or `1 h 30 min`; a plain number is seconds. Unreadable text goes to the validator. */
function Duration({ value, onChange, control }: InputProps<'duration'>) {
  const language = useLanguage()
  const sayLabel = useSay()
  const [typed, setTyped] = useState<{ text: string; value: unknown }>()
  const written = typeof value === 'number' ? formatDuration(value, language, 5) : String(value ?? '')
  const text = typed !== undefined && typed.value === value ? typed.text : written
  const change = (next: string) => {
    const seconds = next.trim() === '' ? null : (readDuration(next) ?? next)
    setTyped({ text: next, value: seconds })
    onChange(seconds)
  }
  const readBack = typeof value === 'number' && text.trim() !== written ? `= ${written}` : undefined
  const { described, aid } = withAid(control, typeof value === 'string' ? sayLabel(inputWords.durationForm) : readBack)
  return (
    <>
      <TextInput
        {...described}
        autoComplete="off"
        spellCheck={false}
        placeholder={sayLabel(inputWords.duration)}
        value={text}
        onChange={change}
        onBlur={() => {
          setTyped(undefined)
          control.onBlur?.()
        }}
      />
      {aid}
    </>
  )
}

export const numberInputs = {
  integer: { Input: Integer },
  decimal: kind,
  money: kind,
  quantity: kind,
  percent: kind,
  bytes: kind,
  duration: { Input: Duration },
  count: kind,
} satisfies { [T in NumberType]: InputKind<T> }
