import { useConsole, useSay } from '#fields/definitions.tsx'
import { formatMoment } from '#fields/time/time-format.ts'
import type { Label } from '#schema/words.ts'
import { useOnline } from '#shell/use-online.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { useUnreachedSince } from './server-reach.ts'

const unreached: Label = [
  'The server does not answer. What you see is as of {time} and may be out of date.',
  'Сервер не отвечает. Данные на экране — по состоянию на {time} и могли устареть.',
]

/** Shown while the network is there and the server is not. */
export function ReachBanner() {
  const sayLabel = useSay()
  const { language, zone } = useConsole()
  const isOnline = useOnline()
  const sinceMs = useUnreachedSince()
  if (sinceMs === undefined || !isOnline) return null
  const time = formatMoment(new Date(sinceMs).toISOString(), language, zone, 'medium')
  return <Banner tone="warn">{sayLabel(unreached, { time })}</Banner>
}
