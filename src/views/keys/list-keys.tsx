import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import type { Row } from '#fields/field-kind.ts'
import type { AnyResource } from '#schema/resource.ts'
import { useStartAction } from '#views/actions/action-host.tsx'
import type { ActionOffer } from '#views/actions/action-offer.ts'
import { isElsewhere, isHelp, letterOf } from './key-of.ts'
import './keys.css'

const KeySheet = lazy(() => import('./key-sheet.tsx').then((module) => ({ default: module.KeySheet })))

export type ListKeysProps = {
  resource: AnyResource
  /** In display order. */
  rows: readonly Row[] | undefined
  rowOffers: (row: Row) => readonly ActionOffer[]
  hasSelection: boolean
  /** The keyboard focus moved to another row. */
  onMove?: ((row: Row) => void) | undefined
}

const itemsIn = (host: Element | null | undefined) => [
  ...(host?.querySelectorAll<HTMLElement>('tbody:not([aria-hidden]) > tr, [data-row]') ?? []),
]

/** Focuses the row's link, else the row itself. */
function focusRow(item: HTMLElement): void {
  const link = item.querySelector<HTMLElement>('[data-row-link]')
  if (!link) item.tabIndex = -1
  const target = link ?? item
  target.focus()
}

type Place = { place: number; isGone: boolean }

const hasFocus = (item: HTMLElement) => item.contains(document.activeElement)
/** The row whose record stands beside the list. */
const isShown = (item: HTMLElement) => item.hasAttribute('data-current')

/** Index of the focused row, else of the row focused last; `isGone`: an action may have removed it. */
function placeOf(items: readonly HTMLElement[], last: { current: number }): Place {
  const here = items.findIndex(hasFocus)
  if (here >= 0) last.current = here
  return { place: last.current, isGone: here < 0 && last.current >= 0 && document.activeElement === document.body }
}

const steps: Readonly<Record<string, number>> = { j: 1, k: -1 }
const stepOf = (letter: string | undefined): number => (letter === undefined ? 0 : (steps[letter] ?? 0))

/** After a removal the next row has taken its place. */
const nextPlace = ({ place, isGone }: Place, step: number, count: number): number =>
  Math.min(count - 1, Math.max(0, isGone && step > 0 ? place : place + step))

/** Keyboard shortcuts of a list: j and k move, x selects, action keys start their action, ? shows all. */
export function ListKeys({ resource, rows, rowOffers, hasSelection, onMove }: ListKeysProps) {
  const mark = useRef<HTMLSpanElement>(null)
  const [isSheetOpen, setSheetOpen] = useState(false)
  const [wasSheetOpen, setWasSheetOpen] = useState(false)
  const start = useStartAction()
  const last = useRef(-1)

  const press = useCallback(
    (event: KeyboardEvent) => {
      const letter = letterOf(event)
      const items = itemsIn(mark.current?.parentElement).slice(0, rows?.length ?? 0)
      const at = placeOf(items, last)
      const step = stepOf(letter)
      if (step !== 0) {
        const next = nextPlace(at, step, items.length)
        const [item, row] = [items[next], rows?.[next]]
        if (!item || !row) return false
        last.current = next
        focusRow(item)
        onMove?.(row)
        return true
      }
      // Another row may stand at the remembered place by now: only one that the reader sees marked is acted on.
      const item = items.find(hasFocus) ?? items.find(isShown)
      const row = item && rows?.[items.indexOf(item)]
      if (!item || !row) return false
      if (letter === 'x' && hasSelection) {
        item.querySelector<HTMLInputElement>('input[type=checkbox]')?.click()
        return true
      }
      const offer = rowOffers(row).find(({ action }) => action.key !== undefined && action.key === letter)
      if (offer) start(offer)
      return offer !== undefined
    },
    [rows, rowOffers, hasSelection, onMove, start],
  )
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (isElsewhere(event)) return
      if (isHelp(event)) {
        setWasSheetOpen(true)
        setSheetOpen(true)
      } else if (!press(event)) return
      event.preventDefault()
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [press])

  return (
    <>
      <span ref={mark} hidden />
      {wasSheetOpen && (
        <Suspense fallback={null}>
          <KeySheet resource={resource} hasSelection={hasSelection} open={isSheetOpen} onClose={() => setSheetOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
