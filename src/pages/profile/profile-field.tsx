import { FormField } from '#ui/input/form-field.tsx'
import { PasswordInput } from '#ui/input/password-input.tsx'
import { TextInput } from '#ui/input/text-input.tsx'

/** Id of the input of a value on the profile. */
export const profileInputId = (name: string) => `profile-${name}`

type ProfileFieldProps = {
  name: string
  label: string
  value: string
  onChange: (value: string) => void
  kind?: 'text' | 'email' | 'tel' | 'current-password' | 'new-password'
  required?: boolean
  hint?: string | undefined
  error?: string | undefined
}

export function ProfileField({ name, label, value, onChange, kind = 'text', required, hint, error }: ProfileFieldProps) {
  return (
    <FormField id={profileInputId(name)} label={label} required={required} hint={hint} error={error}>
      {(control) =>
        kind === 'current-password' || kind === 'new-password' ? (
          <PasswordInput {...control} name={name} autoComplete={kind} value={value} onChange={onChange} />
        ) : (
          <TextInput {...control} name={name} type={kind} value={value} onChange={onChange} />
        )
      }
    </FormField>
  )
}
