import { useWords } from '#shell/use-words.ts'
import { TextAreaInput } from '#ui/antd/lazy-antd.ts'
import type { FieldControl } from '#ui/input/form-field.tsx'
import { FormField } from '#ui/input/form-field.tsx'
import { PasswordInput } from '#ui/input/password-input.tsx'
import { TextInput } from '#ui/input/text-input.tsx'
import { type PublicField, publicInputId } from './public-forms.ts'

type InputProps = { field: PublicField; value: string; onChange: (value: string) => void }

function Control({ field, value, onChange, control }: InputProps & { control: FieldControl }) {
  const shared = { ...control, name: field.name, value, onChange }
  if (field.kind === 'multiline') return <TextAreaInput {...shared} rows={5} />
  if (field.kind === 'newPassword') return <PasswordInput {...shared} autoComplete="new-password" />
  return <TextInput {...shared} type={field.kind} autoComplete={field.autoComplete} />
}

export function PublicFieldInput({ error, ...input }: InputProps & { error: string | undefined }) {
  const words = useWords()
  const { field } = input
  return (
    <FormField
      label={words(field.word)}
      required={!field.optional}
      hint={field.hint && words(field.hint)}
      error={error}
      id={publicInputId(field.name)}
    >
      {(control) => <Control {...input} control={control} />}
    </FormField>
  )
}
