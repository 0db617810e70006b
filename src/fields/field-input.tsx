import type { Field } from '#schema/field-types.ts'
import { Tag } from '#ui/feedback/tag.tsx'
import { Icon } from '#ui/icon/icon.tsx'
import { FormField } from '#ui/input/form-field.tsx'
import { classes } from '#ui/theme/classes.ts'
import { useSay } from './definitions.tsx'
import { FieldDisplay } from './field-display.tsx'
import type { Row } from './field-kind.ts'
import { inputWords } from './input-words.ts'
import { inputOf } from './inputs.ts'
import { fieldKindOf } from './registry.ts'

export type FieldInputProps = {
  field: Field
  path: string
  value: unknown
  onChange: (value: unknown) => void
  /** Receives the path of the nested input that lost the focus. */
  onBlur?: (path: string) => void
  messages: Readonly<Record<string, string>>
  /** The record as loaded; without an `id` while it is new. */
  record: Row
  disabled?: boolean | undefined
}

/** The id of the input of a path, for links to it. */
export const inputId = (path: string): string => `field-${path.replaceAll('.', '-')}`

type ShownFieldProps = Pick<FieldInputProps, 'field' | 'path' | 'value' | 'record'>

/** A read-only value in a form, with the reason. */
function ShownField({ field, path, value, record }: ShownFieldProps) {
  const sayLabel = useSay()
  return (
    <FormField
      id={inputId(path)}
      label={sayLabel(field.label)}
      extra={<Icon name="lock" sizePx={14} />}
      hint={field.help && sayLabel(field.help)}
      wide={fieldKindOf(field).wide}
    >
      {({ id, 'aria-labelledby': labelledBy, 'aria-describedby': describedBy }) => (
        <output className="field-shown" {...{ id }} aria-labelledby={labelledBy} aria-describedby={describedBy}>
          <FieldDisplay field={field} path={path} row={record} value={value ?? null} />
        </output>
      )}
    </FormField>
  )
}

/** Marks a safety-critical field; a part of the description of its input. */
function Mark({ id }: { id: string }) {
  const sayLabel = useSay()
  return (
    <span id={id}>
      <Tag tone="warn">{sayLabel(inputWords.protective)}</Tag>
    </span>
  )
}

/** A form field: label, input by type, help and error. */
export function FieldInput({ field, path, value, onChange, onBlur, messages, record, disabled }: FieldInputProps) {
  const sayLabel = useSay()
  if (field.readOnly === true) return <ShownField {...{ field, path, value, record }} />
  const { Input, captioned, wide } = inputOf(field)
  const label = sayLabel(field.label)
  const shared = { field, path, value, onChange, record, messages }
  const drawInput: Parameters<typeof Input>[0]['drawInput'] = (part) => (
    <FieldInput key={part.path} {...part} {...{ messages, record, disabled }} {...(onBlur ? { onBlur } : {})} />
  )
  const markId = `${inputId(path)}-mark`
  const own = { name: path, disabled, onBlur: onBlur && (() => onBlur(path)) }
  if (captioned) {
    return (
      <fieldset className="field-set ui-field-wide" id={inputId(path)} tabIndex={-1}>
        <legend>{label}</legend>
        {field.help && <p className="ui-field-hint">{sayLabel(field.help)}</p>}
        {messages[path] && (
          <p className="ui-field-error" role="alert">
            {messages[path]}
          </p>
        )}
        <Input {...shared} control={own} drawInput={drawInput} />
      </fieldset>
    )
  }
  return (
    <FormField
      id={inputId(path)}
      label={label}
      required={field.required === true}
      hint={field.help && sayLabel(field.help)}
      error={messages[path]}
      wide={wide ?? fieldKindOf(field).wide}
      extra={field.danger && <Mark id={markId} />}
    >
      {({ 'aria-describedby': describedBy, ...control }) => (
        <Input
          {...shared}
          control={{ ...own, ...control, 'aria-describedby': classes(field.danger && markId, describedBy) || undefined }}
          drawInput={drawInput}
        />
      )}
    </FormField>
  )
}
