import { Suspense } from 'react'
import { useConsole, useSay } from '#fields/definitions.tsx'
import type { Summary } from '#schema/wire/summary.ts'
import { intlOf, type Language } from '#schema/words.ts'
import { nameOf, useAccount } from '#shell/account.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { IconButton } from '#ui/input/icon-button.tsx'
import { LazyView } from '#ui/layout/lazy-chunk.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import './dashboard.css'
import { ErrorScreen } from '#shell/errors/error-screen.tsx'
import { useWords } from '#shell/use-words.ts'
import { dashboardWords } from './dashboard-words.ts'
import { InstallerView } from './installer-view.tsx'
import { OwnFigures } from './own-figures.tsx'
import { SectionCards } from './section-cards.tsx'
import { StaffView } from './staff-view.tsx'
import { useSummary } from './use-summary.ts'
import { clientViewCode } from './view-code.ts'

const timeText = (at: string, language: Language, zone: string | undefined) =>
  new Intl.DateTimeFormat(intlOf(language), { timeStyle: 'medium', timeZone: zone }).format(new Date(at))

function AsOf({ at, onRefresh }: { at: string; onRefresh: () => void }) {
  const words = useWords()
  const { language, zone } = useConsole()
  return (
    <>
      <time className="dash-note" dateTime={at}>
        {words('dashboard.asOf', { time: timeText(at, language, zone) })}
      </time>
      <IconButton icon="refresh" label={words('buttons.refresh')} onClick={onRefresh} />
    </>
  )
}

function View({ summary }: { summary: Summary | 'none' }) {
  if (summary === 'none') return <SectionCards />
  if (summary.view === 'client')
    return (
      <div className="dash">
        <OwnFigures cards={summary.cards} />
        <Suspense fallback={<Loading />}>
          <LazyView code={clientViewCode} props={{ sites: summary.sites }} />
        </Suspense>
      </div>
    )
  if (summary.view === 'staff') return <StaffView summary={summary} />
  return (
    <div className="dash">
      <OwnFigures cards={summary.cards} />
      <InstallerView works={summary.works} />
    </div>
  )
}

const Loading = () => (
  <div className="dash-cards" aria-busy="true">
    {['a', 'b', 'c', 'd'].map((key) => (
      <div key={key} className="ui-card dash-loading">
        <Skeleton lines={5} />
      </div>
    ))}
  </div>
)

/** First page after sign-in, by role. */
export function DashboardPage() {
  const words = useWords()
  const sayLabel = useSay()
  const { user } = useAccount()
  const { data, error, refetch } = useSummary()
  if (error && !data) return <ErrorScreen error={error} />
  const refresh = () => void refetch()
  return (
    <>
      <PageHeader
        title={words('dashboard.title')}
        subtitle={words('dashboard.welcome', { name: nameOf(user) })}
        actions={data && data !== 'none' && <AsOf at={data.at} onRefresh={refresh} />}
      />
      {error && <Banner tone="warn">{sayLabel(dashboardWords.notRefreshed)}</Banner>}
      {data ? <View summary={data} /> : <Loading />}
    </>
  )
}
