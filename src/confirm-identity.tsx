import { createRoot } from 'react-dom/client'
import { KitWords } from '#shell/kit-words.tsx'
import { type WordSource, WordsProvider } from '#shell/use-words.ts'
import { ConfirmForm, type ConfirmFormProps } from './pages/factor/confirm-form.tsx'
import { isObject } from './schema/is-object.ts'

type Http = {
  get: (url: string, config: { quiet: boolean }) => Promise<{ data: unknown }>
  post: (url: string, data: unknown, config: { quiet: boolean }) => Promise<unknown>
}

const quiet = { quiet: true }

/** A root of its own: the call that waits may come from any screen, whose dialogs and forms stay as they are. */
function show(words: WordSource, form: Omit<ConfirmFormProps, 'onEnd'>): Promise<boolean> {
  const host = document.body.appendChild(document.createElement('div'))
  const root = createRoot(host)
  return new Promise((resolve) => {
    const end = (isConfirmed: boolean) => {
      root.unmount()
      host.remove()
      resolve(isConfirmed)
    }
    root.render(
      <WordsProvider value={words}>
        <KitWords>
          <ConfirmForm {...form} onEnd={end} />
        </KitWords>
      </WordsProvider>,
    )
  })
}

async function ask(words: WordSource, http: Http): Promise<boolean> {
  const { data } = await http.get('auth/factor', quiet)
  const by = isObject(data) && data.totpAt ? 'code' : 'password'
  return show(words, { by, send: async (proof) => void (await http.post('auth/confirm', proof, quiet)) })
}

let asked: Promise<boolean> | undefined

/** Single-flight: calls that are refused at the same time wait for one dialog. True once the person has confirmed. */
export function confirmIdentity(words: WordSource, http: Http): Promise<boolean> {
  asked ??= ask(words, http).finally(() => {
    asked = undefined
  })
  return asked
}
