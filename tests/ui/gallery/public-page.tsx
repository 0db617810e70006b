import { useState } from 'react'
import { Banner } from '#ui/feedback/banner.tsx'
import { Button } from '#ui/input/button.tsx'
import { Checkbox } from '#ui/input/checkbox.tsx'
import { FormField } from '#ui/input/form-field.tsx'
import { IconButton } from '#ui/input/icon-button.tsx'
import { PasswordInput } from '#ui/input/password-input.tsx'
import { TextInput } from '#ui/input/text-input.tsx'
import { PublicFrame } from '#ui/layout/public-frame.tsx'
import { Brand } from './gallery-frame.tsx'

export function PublicPage() {
  const [email, setEmail] = useState('anna@example.com')
  const [password, setPassword] = useState('')
  const [isKept, setKept] = useState(true)
  return (
    <PublicFrame
      brand={<Brand />}
      title="Sign in"
      subtitle="Use the account that your administrator gave you."
      corner={
        <>
          <IconButton icon="language" label="Language" />
          <IconButton icon="moon" label="Look" />
        </>
      }
      footer={<a href="#/forgot">Forgot the password?</a>}
    >
      <div style={{ display: 'grid', gap: 16 }}>
        <Banner tone="bad">Wrong e-mail or password.</Banner>
        <FormField label="E-mail">
          {(control) => <TextInput {...control} type="email" value={email} onChange={setEmail} />}
        </FormField>
        <FormField label="Password">
          {(control) => <PasswordInput {...control} autoComplete="current-password" value={password} onChange={setPassword} />}
        </FormField>
        <Checkbox checked={isKept} onChange={setKept}>
          Keep me signed in
        </Checkbox>
        <Button kind="primary">Sign in</Button>
      </div>
    </PublicFrame>
  )
}
