import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useConsole, useSay } from '#fields/definitions.tsx'
import { formatMoment } from '#fields/time/time-format.ts'
import { presentIso } from '#schema/format/present-time.ts'
import { useAccount } from '#shell/account.ts'
import '#ui/layout/print.css'
import { useWords } from './use-words.ts'

/** Time of printing. The browser prints the page as of the end of the event, so React must render synchronously. */
function usePrintedAt(): string {
  const [at, setAt] = useState(() => presentIso())
  useEffect(() => {
    const paper = matchMedia('print')
    const handlePrint = () => flushSync(() => setAt(presentIso()))
    window.addEventListener('beforeprint', handlePrint)
    paper.addEventListener('change', handlePrint)
    return () => {
      window.removeEventListener('beforeprint', handlePrint)
      paper.removeEventListener('change', handlePrint)
    }
  }, [])
  return at
}

/** First line on paper: product, time of printing and user. Also loads the print styles. */
export function PrintHead() {
  const words = useWords()
  const sayLabel = useSay()
  const { language, zone } = useConsole()
  const { user } = useAccount()
  const time = formatMoment(usePrintedAt(), language, zone)
  return (
    <p className="ui-print-head" hidden>
      {words('app.title')} · {sayLabel(['Printed {time}', 'Напечатано {time}'], { time })} · {user.email}
    </p>
  )
}
