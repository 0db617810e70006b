import { useSay } from '#fields/definitions.tsx'
import { Button } from '#ui/input/button.tsx'
import { Menu, type MenuEntry } from '#ui/overlay/menu.tsx'
import { viewWords } from '#views/shared/words.ts'
import { useStartAction } from './action-host.tsx'
import type { ActionOffer } from './action-offer.ts'
import { iconName } from './icon-name.ts'

const isDanger = ({ action }: ActionOffer) => action.confirm?.danger === true

export function useOfferEntries(): (offers: readonly ActionOffer[]) => MenuEntry[] {
  const sayLabel = useSay()
  const start = useStartAction()
  return (offers) =>
    offers.map((offer) => ({
      key: offer.name,
      label: sayLabel(offer.action.label),
      icon: iconName(offer.action.icon),
      danger: isDanger(offer),
      onSelect: () => start(offer),
    }))
}

export type ActionButtonsProps = {
  offers: readonly ActionOffer[]
  /** Number of buttons before the rest moves into a menu. */
  shown?: number
  entries?: readonly MenuEntry[]
}

/** The actions in a page header: the first as buttons, the others in a menu. */
export function ActionButtons({ offers, shown = 2, entries = [] }: ActionButtonsProps) {
  const sayLabel = useSay()
  const start = useStartAction()
  const toEntries = useOfferEntries()
  const rest = [...toEntries(offers.slice(shown)), ...entries]
  return (
    <>
      {offers.slice(0, shown).map((offer) => (
        <Button key={offer.name} icon={iconName(offer.action.icon)} onClick={() => start(offer)}>
          {sayLabel(offer.action.label)}
        </Button>
      ))}
      {rest.length > 0 && <Menu label={sayLabel(viewWords.more)} items={rest} kind="default" />}
    </>
  )
}
