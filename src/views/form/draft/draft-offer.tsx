import { useConsole, useSay } from '#fields/definitions.tsx'
import { formatMoment } from '#fields/time/time-format.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { Button } from '#ui/input/button.tsx'
import { formWords } from '#views/form/form-words.ts'
import type { DraftControl } from './use-draft.ts'

export type DraftOfferProps = { draft: Pick<DraftControl, 'offered' | 'discard'>; onRestore: () => void }

/** Offers to restore or discard an unsaved draft. */
export function DraftOffer({ draft, onRestore }: DraftOfferProps) {
  const sayLabel = useSay()
  const { language, zone } = useConsole()
  const { offered, discard } = draft
  if (!offered) return null
  const time = formatMoment(new Date(offered.atMs).toISOString(), language, zone)
  const buttons = (
    <>
      <Button size="small" kind="primary" onClick={onRestore}>
        {sayLabel(formWords.restore)}
      </Button>
      <Button size="small" onClick={discard}>
        {sayLabel(formWords.discard)}
      </Button>
    </>
  )
  return (
    <Banner tone="info" action={buttons}>
      {sayLabel(formWords.draftFound, { time })}
    </Banner>
  )
}
