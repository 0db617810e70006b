import type { InputKind, InputProps } from '#fields/field-kind.ts'
import type { TypesCompared } from '#schema/field-types.ts'
import { TextAreaInput } from '#ui/antd/lazy-antd.ts'
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

function Secret({ value, onChange, control }: InputProps<'secret'>) {
  return (
    <PasswordInput
      {...control}
      autoComplete="new-password"
      value={textOf(value)}
      onChange={(text) => onChange(fromText(text))}
    />
  )
}

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
