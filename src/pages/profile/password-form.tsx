import { type FormEvent, useState } from 'react'
import { useAccount } from '#shell/account.ts'
import { useWords } from '#shell/use-words.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { openNotification } from '#ui/feedback/notification.ts'
import { Button } from '#ui/input/button.tsx'
import { Card } from '#ui/layout/card.tsx'
import { ProfileField } from './profile-field.tsx'
import { useOwnCall } from './use-own-call.ts'

const minLength = 10

/** Changes the own password. The server ends all sessions, so the user signs in again. */
export function PasswordForm() {
  const words = useWords()
  const { user, forget } = useAccount()
  const { send, problem, isBusy } = useOwnCall()
  const [password, setPassword] = useState('')
  const [newPassword, setNewPassword] = useState('')
  const isReady = password !== '' && newPassword.length >= minLength
  const change = async () => {
    const isDone = await send({ url: `user/${user.id}/password`, method: 'put', payload: { password, newPassword } })
    if (!isDone) return
    openNotification({ kind: 'success', title: words('profile.passwordChanged'), durationS: 8 })
    forget()
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady && !isBusy) void change()
  }
  const errors = problem?.errors ?? {}
  return (
    <Card title={words('profile.changePassword')}>
      <form className="shell-form" noValidate onSubmit={handleSubmit}>
        {problem && Object.keys(errors).length === 0 && <Banner tone="bad">{problem.message}</Banner>}
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        <ProfileField
          name="password"
          kind="current-password"
          label={words('password.current')}
          value={password}
          onChange={setPassword}
          error={errors.password}
        />
        <ProfileField
          name="newPassword"
          kind="new-password"
          label={words('password.new')}
          value={newPassword}
          onChange={setNewPassword}
          hint={words('password.rule')}
          error={errors.newPassword}
        />
        <div>
          <Button type="submit" icon="key" busy={isBusy} disabled={!isReady}>
            {words('profile.changePassword')}
          </Button>
        </div>
      </form>
    </Card>
  )
}
