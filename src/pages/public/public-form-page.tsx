import { type FormEvent, useLayoutEffect, useState } from 'react'
import { valueAt } from '#schema/rule.ts'
import { useShell } from '#shell/shell-services.ts'
import { useAddress, useHistory } from '#shell/use-address.ts'
import { useWords } from '#shell/use-words.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { Button } from '#ui/input/button.tsx'
import { ProblemBanner } from './problem-banner.tsx'
import { PublicFieldInput } from './public-field-input.tsx'
import type { PublicForm } from './public-forms.ts'
import { PublicLayout, wayOn } from './public-layout.tsx'
import { usePublicForm } from './use-public-form.ts'

/**
 * Token of a mailed link. It is a secret: once read, it is removed from the address and the history. A link opened on this very
 * page only changes the fragment.
 */
function useLinkToken(): string | undefined {
  const history = useHistory()
  const { pathname, search, hash } = useAddress()
  const [token, setToken] = useState<string>()
  const found = new URLSearchParams(hash.slice(1)).get('token') ?? token
  if (found !== token) setToken(found)
  // Before the page is painted: nobody reads the token from the address bar or a picture of it.
  useLayoutEffect(() => {
    if (hash) history.replace(pathname + search)
  }, [history, pathname, search, hash])
  return found
}

const ways = {
  signIn: { href: '/login', word: 'public.toSignIn' },
  ask: { href: '/restore-password', word: 'restorePassword.submit' },
  support: { href: '/support', word: 'nav.support' },
} as const

type Way = keyof typeof ways
type LinkNoteProps = { path: string; title: string; text: string; way: Way }

/** Replaces the form when a link is incomplete or expired, with the next step. */
function LinkNote({ path, title, text, way }: LinkNoteProps) {
  const words = useWords()
  const others: readonly Way[] = way === 'support' ? ['signIn'] : ['support']
  return (
    <PublicLayout path={path} title={words(title)}>
      <div className="shell-form">
        <p>{words(text)}</p>
        {[way, ...others].map((each) => (
          <Button key={each} kind={each === way ? 'primary' : 'default'} href={ways[each].href}>
            {words(ways[each].word)}
          </Button>
        ))}
      </div>
    </PublicLayout>
  )
}

type PublicFormPageProps = { path: string; form: PublicForm; withToken?: PublicForm | undefined }

/** A page with a single form. `withToken` replaces it when a mailed link was opened. */
export function PublicFormPage({ path, form, withToken }: PublicFormPageProps) {
  const token = useLinkToken()
  const active = token && withToken ? withToken : form
  if (active.needsToken && !token)
    return <LinkNote path={path} title="link.missing.title" text="link.missing.text" way="support" />
  return <OpenForm key={token} path={path} form={active} token={token} />
}

function OpenForm({ path, form, token }: { path: string; form: PublicForm; token: string | undefined }) {
  const words = useWords()
  const next = wayOn(useShell().user() !== undefined)
  const { values, errors, message, isBusy, outcome, setValue, submit } = usePublicForm(form, token)
  if (outcome.state === 'dead' && form.dead) return <LinkNote path={path} title="link.dead.title" {...form.dead} />
  if (outcome.state === 'done') {
    const ticket = String(valueAt(outcome.answer, 'ticket') ?? valueAt(outcome.answer, 'ticketNumber') ?? '')
    return (
      <PublicLayout path={path} title={words(form.title)}>
        <div className="shell-form">
          <Banner tone="good">{words(form.done, { ticket })}</Banner>
          <Button kind="primary" href={next.href}>
            {words(next.word)}
          </Button>
        </div>
      </PublicLayout>
    )
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    void submit()
  }
  return (
    <PublicLayout path={path} title={words(form.title)} subtitle={form.text && words(form.text)}>
      <form className="shell-form" method="post" noValidate onSubmit={handleSubmit}>
        <ProblemBanner message={message} />
        {form.fields.map((field) => (
          <PublicFieldInput
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            error={errors[field.name]}
            onChange={(value) => setValue(field.name, value)}
          />
        ))}
        <Button kind="primary" type="submit" busy={isBusy}>
          {words(form.submit)}
        </Button>
      </form>
    </PublicLayout>
  )
}
