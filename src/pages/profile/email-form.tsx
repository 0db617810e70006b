import { type FormEvent, useState } from 'react'
import { useAccount } from '#shell/account.ts'
import { useWords } from '#shell/use-words.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { Button } from '#ui/input/button.tsx'
import { Card } from '#ui/layout/card.tsx'
import { ProfileField } from './profile-field.tsx'
import { useFactorState } from './use-factor.ts'
import { useOwnCall } from './use-own-call.ts'

/** Requests another e-mail address; it takes effect when the link mailed to it is opened. */
export function EmailForm({ pending }: { pending: string | undefined }) {
  const words = useWords()
  const { user } = useAccount()
  const { send, problem, isBusy } = useOwnCall()
  const { state } = useFactorState()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [sentTo, setSentTo] = useState<string>()
  // Where a second factor or a provider confirms, the client asks for it when the server does.
  const isByPassword = (state?.confirmedBy ?? 'password') === 'password'
  const isReady = email.trim() !== '' && (!isByPassword || password !== '')
  const ask = async () => {
    const address = email.trim()
    const payload = { email: address, ...(isByPassword && { password }) }
    const isDone = await send({ url: `user/${user.id}/change-email`, method: 'post', payload })
    if (!isDone) return
    setSentTo(address)
    setEmail('')
    setPassword('')
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady && !isBusy) void ask()
  }
  const errors = problem?.errors ?? {}
  const waiting = sentTo ?? pending
  return (
    <Card title={words('profile.changeEmail')}>
      <form className="shell-form" noValidate onSubmit={handleSubmit}>
        {sentTo && <Banner tone="good">{words('profile.emailSent', { email: sentTo })}</Banner>}
        {!sentTo && waiting && <Banner tone="info">{words('profile.pendingEmail', { email: waiting })}</Banner>}
        {problem && Object.keys(errors).length === 0 && <Banner tone="bad">{problem.message}</Banner>}
        <ProfileField
          name="email"
          kind="email"
          label={words('profile.newEmail')}
          value={email}
          onChange={setEmail}
          error={errors.email}
        />
        {isByPassword && (
          <ProfileField
            name="emailPassword"
            kind="current-password"
            label={words('password.current')}
            value={password}
            onChange={setPassword}
            error={errors.password}
          />
        )}
        <div>
          <Button type="submit" icon="mail" busy={isBusy} disabled={!isReady}>
            {words('buttons.send')}
          </Button>
        </div>
      </form>
    </Card>
  )
}
