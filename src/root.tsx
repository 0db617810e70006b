import { HistoryLink } from '#shell/history-link.tsx'
import { KitWords } from '#shell/kit-words.tsx'
import { ShellProvider } from '#shell/shell-services.ts'
import { HistoryContext } from '#shell/use-address.ts'
import { WordsProvider } from '#shell/use-words.ts'
import { Gate } from './gate.tsx'
import type { Services } from './services.ts'
import { LinkProvider } from './ui/layout/link.tsx'

/** Everything on screen, inside and outside a session. */
export function Root({ services }: { services: Services }) {
  return (
    <WordsProvider value={services.i18n}>
      <HistoryContext value={services.history}>
        <LinkProvider component={HistoryLink}>
          <ShellProvider value={services.shell}>
            <KitWords>
              <Gate services={services} />
            </KitWords>
          </ShellProvider>
        </LinkProvider>
      </HistoryContext>
    </WordsProvider>
  )
}
