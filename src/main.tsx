import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '#ui/kit.css'
import '#shell/shell.css'
import { initI18n } from '#providers/i18n.ts'
import { createBrowserSession } from '#providers/session/browser-session.ts'
import { ConsoleHistory } from '#shell/history.ts'
import { consoleCode } from './gate.tsx'
import { isPublicPath, isSignIn, loginCode } from './pages/public/public-pages.tsx'
import { Root } from './root.tsx'
import { preloadScreen } from './screen-chunks.ts'
import { createServices, type Services } from './services.ts'
import { watchStaleChunks } from './shell/errors/stale-chunk.ts'
import { restoreTheme } from './ui/theme/theme.ts'

/** Unsaved input: a listener that would hold up the closing of the tab, tried by an event of our own. */
const isDirty = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

const startFailure = 'The console could not be started. Refresh the page. · Консоль не запустилась. Обновите страницу.'

/** Data that has not come by then leaves its place to a stand-in. A copy of the last visit is read meanwhile, and waits longer. */
const mostMs = 1_500
const mostCopyMs = 10_000
const longestMs = () => (document.querySelector('#frame[aria-busy]') ? mostCopyMs : mostMs)
const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** The static frame of the document is visible during this. Errors are ignored: the screen tries again and reports them. */
async function prepare(services: Services): Promise<void> {
  try {
    const [{ prepareConsole }] = await Promise.all([import('./app.tsx'), consoleCode.preload()])
    await Promise.race([prepareConsole(services), delay(longestMs())])
  } catch {}
}

async function start(host: HTMLElement): Promise<void> {
  restoreTheme()
  watchStaleChunks()
  const session = createBrowserSession({ isDirty })
  session.start()
  const isConsole = session.getSnapshot().session !== undefined && !isPublicPath(location.pathname)
  if (isConsole) {
    consoleCode.preload().catch(() => undefined)
    void preloadScreen(location.pathname)
  }
  const needsSignIn = !session.getSnapshot().session && isSignIn(location.pathname)
  const signIn = needsSignIn ? loginCode.preload() : undefined
  const i18n = await initI18n()
  const loadBackground = () => import('./background.ts')
  const services = createServices({ session, i18n, history: new ConsoleHistory(), isDirty, loadBackground })
  if (isConsole) await prepare(services)
  // A failure is shown where the page is opened, which asks again.
  else await signIn?.catch(() => undefined)
  createRoot(host).render(
    <StrictMode>
      <Root services={services} />
    </StrictMode>,
  )
}

const host = document.getElementById('root')
if (host) {
  start(host).catch((error: unknown) => {
    host.textContent = startFailure
    throw error
  })
}
