import { useState } from 'react'
import { useUiWords } from '#ui/theme/ui-words.tsx'
import { IconButton } from './icon-button.tsx'
import { TextInput, type TextInputProps } from './text-input.tsx'

export type PasswordInputProps = Omit<TextInputProps, 'type' | 'prefix' | 'suffix' | 'code'> & {
  autoComplete: 'current-password' | 'new-password' | 'off'
}

/** Does not use antd, which keeps the sign-in page small. */
export function PasswordInput({ disabled, ...input }: PasswordInputProps) {
  const words = useUiWords()
  const [isShown, setShown] = useState(false)
  return (
    <TextInput
      {...input}
      disabled={disabled}
      type={isShown ? 'text' : 'password'}
      spellCheck={false}
      suffix={
        <IconButton
          icon={isShown ? 'eye-off' : 'eye'}
          size="small"
          label={isShown ? words.hidePassword : words.showPassword}
          disabled={disabled}
          onClick={() => setShown(!isShown)}
        />
      }
    />
  )
}
