import { type ReactNode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { KitWords } from '#shell/kit-words.tsx'
import { type WordSource, WordsProvider } from '#shell/use-words.ts'
import { lazyCode } from '#ui/layout/lazy-chunk.tsx'
import { ConfirmForm } from './pages/factor/confirm-form.tsx'
import { takesPasskeys } from './pages/factor/passkey-device.ts'
import { isObject } from './schema/is-object.ts'

type Http = {
  get: (url: string, config: { quiet: boolean }) => Promise<{ data: unknown }>
  post: (url: string, data: unknown, config: { quiet: boolean }) => Promise<{ data: unknown }>
  put: (url: string, data: unknown, config: { quiet: boolean }) => Promise<unknown>
}

/** Tells each change of the signed-in user; returns the function that ends it. */
type Session = { onIdentityChange: (listener: () => void) => () => void }

/** The page's words, and the session that the question belongs to. */
type Page = { words: WordSource; session: Session }

const ConfirmProvider = lazyCode(() =>
  import('./pages/factor/confirm-provider.tsx').then((module) => ({ default: module.ConfirmProvider })),
)

const ConfirmFactor = lazyCode(() =>
  import('./pages/factor/confirm-factor.tsx').then((module) => ({ default: module.ConfirmFactor })),
)

const quiet = { quiet: true }

/**
 * A root of its own: the call that waits may come from any screen, whose dialogs and forms stay as they are. The question ends
 * with its session: another user must not answer it.
 */
function show({ words, session }: Page, dialog: (onEnd: (isConfirmed: boolean) => void) => ReactNode): Promise<boolean> {
  const host = document.body.appendChild(document.createElement('div'))
  const root = createRoot(host)
  return new Promise((resolve) => {
    const end = (isConfirmed: boolean) => {
      unwatch()
      root.unmount()
      host.remove()
      resolve(isConfirmed)
    }
    const unwatch = session.onIdentityChange(() => end(false))
    root.render(
      <WordsProvider value={words}>
        <KitWords>
          <Suspense>{dialog(end)}</Suspense>
        </KitWords>
      </WordsProvider>,
    )
  })
}

/** Address of the provider, and the proof that this tab asked for it. */
async function begin(http: Http): Promise<{ url: string; browser: string }> {
  const { data } = await http.post('auth/oidc/confirm', {}, quiet)
  if (!isObject(data) || typeof data.url !== 'string') throw new Error('the server names no provider')
  return { url: data.url, browser: String(data.browser) }
}

const hasPasskey = (state: unknown): boolean =>
  isObject(state) && Array.isArray(state.passkeys) && state.passkeys.length > 0 && takesPasskeys(state.passkeyOrigin)

/** `confirmedBy` is missing in answers of a server without passkeys: an app is the only factor there. */
const isByFactor = (state: unknown): boolean => isObject(state) && (state.confirmedBy === 'factor' || Boolean(state.totpAt))

async function ask(page: Page, http: Http): Promise<boolean> {
  const { data } = await http.get('auth/factor', quiet)
  if (isObject(data) && data.confirmedBy === 'provider') {
    const finish = async (proof: object) => void (await http.put('auth/oidc/confirm', proof, quiet))
    return show(page, (onEnd) => <ConfirmProvider begin={() => begin(http)} finish={finish} onEnd={onEnd} />)
  }
  const recovery = isObject(data) && data.totpAt ? 'too' : 'only'
  const send = async (proof: object) => void (await http.post('auth/confirm', proof, quiet))
  if (hasPasskey(data)) {
    const options = async () => (await http.post('auth/confirm/passkey', undefined, quiet)).data
    const finish = async (proof: object) => void (await http.put('auth/confirm/passkey', proof, quiet))
    return show(page, (onEnd) => <ConfirmFactor begin={options} {...{ finish, send, onEnd, recovery }} />)
  }
  const by = isByFactor(data) ? 'code' : 'password'
  return show(page, (onEnd) => <ConfirmForm {...{ by, recovery, send, onEnd }} />)
}

let asked: Promise<boolean> | undefined

/** Single-flight: calls that are refused at the same time wait for one dialog. True once the person has confirmed. */
export function confirmIdentity(words: WordSource, http: Http, session: Session): Promise<boolean> {
  asked ??= ask({ words, session }, http).finally(() => {
    asked = undefined
  })
  return asked
}
