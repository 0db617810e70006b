import { type FormEvent, Suspense, useEffect, useState } from 'react'
import { useShell } from '#shell/shell-services.ts'
import { useWords } from '#shell/use-words.ts'
import { Button } from '#ui/input/button.tsx'
import { FormField } from '#ui/input/form-field.tsx'
import { PasswordInput } from '#ui/input/password-input.tsx'
import { TextInput } from '#ui/input/text-input.tsx'
import { lazyCode } from '#ui/layout/lazy-chunk.tsx'
import { Link } from '#ui/layout/link.tsx'
import { problemOf } from '#views/shared/problem.ts'
import { ProblemBanner } from './problem-banner.tsx'
import { PublicLayout } from './public-layout.tsx'

const SecondStep = lazyCode(() => import('#pages/factor/second-step.tsx').then((module) => ({ default: module.SecondStep })))

const OtherWays = lazyCode(() => import('./other-ways.tsx').then((module) => ({ default: module.OtherWays })))

/** End of the former session by the server: its reason and what is kept of it, until the next message. */
function useForcedEnd() {
  const words = useWords()
  const { endReason, formerUser } = useShell()
  const [{ reason, user }] = useState(() => ({ reason: endReason(), user: formerUser() }))
  const [isKept, setKept] = useState(false)
  useEffect(() => {
    if (user) void import('#views/form/draft/draft-store.ts').then(({ hasDrafts }) => setKept(hasDrafts(user.id)))
  }, [user])
  return {
    email: user?.email ?? '',
    reason: reason === undefined ? undefined : reason || words('signIn.ended'),
    note: isKept ? words('signIn.kept') : undefined,
  }
}

function useSignIn(reason: string | undefined) {
  const words = useWords()
  const { signIn } = useShell()
  const [isBusy, setBusy] = useState(false)
  const [message, setMessage] = useState(reason)
  const [answer, setAnswer] = useState<unknown>()
  const restart = (reason?: string) => {
    setMessage(reason)
    setBusy(false)
    setAnswer(undefined)
  }
  const submit = async (email: string, password: string) => {
    if (!email.trim() || !password) {
      setMessage(words('signIn.fill'))
      return
    }
    setBusy(true)
    setMessage(undefined)
    try {
      setAnswer(await signIn({ email: email.trim(), password }))
    } catch (error) {
      setMessage(problemOf(error).message)
      setBusy(false)
    }
  }
  return { submit, isBusy, message, answer, restart }
}

/** Sign-in. Not shown to signed-in users: the gate redirects as soon as there is a session. */
export function LoginPage() {
  const words = useWords()
  const end = useForcedEnd()
  const { submit, isBusy, message, answer, restart } = useSignIn(end.reason)
  const [email, setEmail] = useState(end.email)
  const [password, setPassword] = useState('')
  const handleSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    // A password manager may fill the inputs without an event.
    const typed = new FormData(event.currentTarget)
    const [filledEmail, filledPassword] = [`${typed.get('email')}`, `${typed.get('password')}`]
    setEmail(filledEmail)
    setPassword(filledPassword)
    void submit(filledEmail, filledPassword)
  }
  if (answer)
    return (
      <PublicLayout path="/login" title={words('signIn.title')}>
        <Suspense>
          <SecondStep answer={answer} onRestart={restart} />
        </Suspense>
      </PublicLayout>
    )
  return (
    <PublicLayout path="/login" title={words('signIn.title')}>
      <form className="shell-form" method="post" noValidate onSubmit={handleSubmit}>
        <ProblemBanner message={message} note={message === end.reason ? end.note : undefined} />
        <FormField label={words('signIn.email')} id="email">
          {(control) => (
            <TextInput
              {...control}
              name="email"
              type="email"
              autoComplete="username webauthn"
              inputMode="email"
              spellCheck={false}
              autoFocus={!end.email}
              value={email}
              onChange={setEmail}
            />
          )}
        </FormField>
        <FormField label={words('signIn.password')} id="password">
          {(control) => (
            <PasswordInput
              {...control}
              name="password"
              autoComplete="current-password"
              autoFocus={end.email !== ''}
              value={password}
              onChange={setPassword}
            />
          )}
        </FormField>
        <Button kind="primary" type="submit" busy={isBusy}>
          {words('signIn.submit')}
        </Button>
        {/* After the button, so that Tab moves from the e-mail to the password. */}
        <Link className="ui-link shell-form-aside" href="/restore-password">
          {words('signIn.forgot')}
        </Link>
      </form>
      <Suspense>
        <OtherWays onFault={restart} />
      </Suspense>
    </PublicLayout>
  )
}
