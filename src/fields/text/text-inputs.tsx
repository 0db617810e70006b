import { useSay } from '#fields/definitions.tsx'
import type { InputKind, InputProps } from '#fields/field-kind.ts'
import { inputWords } from '#fields/input-words.ts'
import { isSetKey } from '#schema/definition.ts'
import type { TypesCompared } from '#schema/field-types.ts'
import { removedSecret } from '#schema/form/removed-secret.ts'
import { valueAt } from '#schema/rule.ts'
import { TextAreaInput } from '#ui/antd/lazy-antd.ts'
import { Button } from '#ui/input/button.tsx'
import { PasswordInput } from '#ui/input/password-input.tsx'
import { TextInput, type TextInputProps } from '#ui/input/text-input.tsx'
import { ZoneInput } from './zone-input.tsx'

type LineType = Exclude<TypesCompared<'text'>, 'longText' | 'timezone'>

const looks: { [T in LineType]: Partial<TextInputProps> } = {
  text: {},
  email: { type: 'email', inputMode: 'email', spellCheck: false, autoComplete: 'off' },
  phone: { type: 'tel', inputMode: 'tel', autoComplete: 'off' },
  url: { type: 'url', inputMode: 'url', spellCheck: false, autoComplete: 'off' },
  code: { code: true, spellCheck: false, autoComplete: 'off' },
  semver: { code: true, spellCheck: false, autoComplete: 'off' },
  hex: { code: true, spellCheck: false, autoComplete: 'off' },
}

const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value))
/** An empty input is null. */
const fromText = (text: string): string | null => (text === '' ? null : text)

function Line({ field, value, onChange, control }: InputProps<LineType>) {
  return <TextInput {...control} {...looks[field.type]} value={textOf(value)} onChange={(text) => onChange(fromText(text))} />
}

function Long({ field, value, onChange, control }: InputProps<'longText'>) {
  return (
    <TextAreaInput
      {...control}
      maxLength={field.maxLength}
      value={textOf(value)}
      onChange={(text) => onChange(fromText(text))}
    />
  )
}

/** A stored secret is not shown: an empty input keeps it, a button removes it. */
function Secret({ field, path, value, onChange, control, record }: InputProps<'secret'>) {
  const sayLabel = useSay()
  const isSet = valueAt(record, isSetKey(path)) === true
  const isRemoved = value === removedSecret
  const input = (
    <PasswordInput
      {...control}
      autoComplete="new-password"
      value={isRemoved ? '' : textOf(value)}
      onChange={(text) => onChange(fromText(text))}
    />
  )
  if (!isSet) return input
  const state = isRemoved ? inputWords.secretGoes : isEmptyText(value) ? inputWords.secretStays : inputWords.secretChanges
  return (
    <>
      {input}
      <span className="ui-field-hint" role="status">
        {sayLabel(state)}
      </span>
      {field.required !== true && (
        <Button kind="text" size="small" disabled={control.disabled} onClick={() => onChange(isRemoved ? null : removedSecret)}>
          {sayLabel(isRemoved ? inputWords.secretKeep : inputWords.secretRemove)}
        </Button>
      )}
    </>
  )
}

const isEmptyText = (value: unknown) => textOf(value) === ''

const line = { Input: Line } satisfies InputKind<LineType>

export const textInputs = {
  text: line,
  longText: { Input: Long },
  email: line,
  phone: line,
  url: line,
  code: line,
  semver: line,
  hex: line,
  timezone: { Input: ZoneInput },
  secret: { Input: Secret },
} satisfies { [T in LineType | 'longText' | 'timezone' | 'secret']: InputKind<T> }
