import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '#ui/kit.css'
import '#shell/shell.css'
import { initI18n } from '#providers/i18n.ts'
import { createBrowserSession } from '#providers/session/browser-session.ts'
import { ConsoleHistory } from '#shell/history.ts'
import { Root } from './root.tsx'
import { preloadScreen } from './screen-chunks.ts'
import { createServices } from './services.ts'
import { watchStaleChunks } from './shell/errors/stale-chunk.ts'
import { restoreTheme } from './ui/theme/theme.ts'

/** Whatever would ask before the tab is closed holds input that a reload would lose. */
const isDirty = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

const startFailure = 'The console could not be started. Refresh the page. · Консоль не запустилась. Обновите страницу.'

async function start(host: HTMLElement): Promise<void> {
  restoreTheme()
  watchStaleChunks()
  const session = createBrowserSession({ isDirty })
  session.start()
  if (session.getSnapshot().session) {
    import('./app.tsx').catch(() => undefined)
    preloadScreen(location.pathname)
  }
  const i18n = await initI18n()
  const loadBackground = () => import('./background.ts')
  const services = createServices({ session, i18n, history: new ConsoleHistory(), isDirty, loadBackground })
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
