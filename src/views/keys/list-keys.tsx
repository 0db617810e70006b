import { useNotification } from '@refinedev/core'
import { type RefObject, useCallback, useEffect, useMemo, useRef } from 'react'
import { usePermissions, useRuleContext, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import type { AnyResource } from '#schema/resource.ts'
import { onFocusLost } from '#ui/overlay/focus-lost.ts'
import type { FocusPlace } from '#ui/overlay/focus-place.ts'
import { useStartAction } from '#views/actions/action-host.tsx'
import type { ActionOffer } from '#views/actions/action-offer.ts'
import { actionOfKey, isElsewhere, letterOf } from './key-of.ts'
import { keyWords } from './key-words.ts'
import { usePagePart } from './page-keys.ts'
import { refusalOf } from './refused-key.ts'
import './keys.css'

export type ListKeysProps = {
  resource: AnyResource
  /** In display order. */
  rows: readonly Row[] | undefined
  rowOffers: (row: Row) => readonly ActionOffer[]
  /** Rows can be selected. */
  hasSelection: boolean
  /** How many are. */
  selected: number
  /** The keyboard focus moved to another row. */
  onMove?: ((row: Row) => void) | undefined
}

const itemsIn = (host: Element | null | undefined) => [
  ...(host?.querySelectorAll<HTMLElement>('tbody:not([aria-hidden]) > tr, [data-row]') ?? []),
]

/** Focuses the row's link, else the row itself. */
function focusRow(item: HTMLElement, options?: FocusOptions): void {
  const link = item.querySelector<HTMLElement>('[data-row-link]')
  if (!link) item.tabIndex = -1
  const target = link ?? item
  target.focus(options)
}

const hasFocus = (item: HTMLElement) => item.contains(document.activeElement)
/** The row whose record stands beside the list. */
const isShown = (item: HTMLElement) => item.hasAttribute('data-current')

const steps: Readonly<Record<string, number>> = { j: 1, k: -1 }
const stepOf = (letter: string | undefined): number => (letter === undefined ? 0 : (steps[letter] ?? 0))

type Last = { place: number; id?: string | undefined }

/** The rows on the page, and the one that had the focus last. When it leaves the list, the row that takes its place gets the focus. */
function useFocusedRow(mark: RefObject<HTMLElement | null>, rows: readonly Row[] | undefined) {
  const last = useRef<Last>({ place: -1 })
  const read = useCallback(() => {
    const items = itemsIn(mark.current?.parentElement).slice(0, rows?.length ?? 0)
    const here = items.findIndex(hasFocus)
    if (here >= 0) last.current = { place: here, id: String(rows?.[here]?.id) }
    return { items, last: last.current }
  }, [mark, rows])
  useEffect(() => {
    const takePlace = () => {
      const { items, last: gone } = read()
      const item = items.find(isShown) ?? items[Math.min(gone.place, items.length - 1)]
      if (item) focusRow(item, { preventScroll: true })
      return item !== undefined
    }
    const indexOfLast = () => rows?.findIndex((row) => String(row.id) === last.current.id) ?? -1
    const settle = () => {
      const isLost = last.current.id !== undefined && document.activeElement === document.body
      return isLost && indexOfLast() < 0 && takePlace()
    }
    /** A control of a row that stays gives the focus to its row; what was lost elsewhere on the page is none of the list's. */
    const handleLost = (place: FocusPlace | undefined) => {
      const index = indexOfLast()
      if (last.current.id === undefined || document.activeElement !== document.body) return false
      if (index < 0) return takePlace()
      const item = read().items[index]
      if (!item || !place?.around.includes(item)) return false
      focusRow(item, { preventScroll: true })
      return true
    }
    const note = () => void read()
    settle()
    document.addEventListener('focusin', note)
    const stop = onFocusLost(handleLost)
    return () => {
      document.removeEventListener('focusin', note)
      stop()
    }
  }, [read, rows])
  return read
}

/** Says why a key does not start its action. */
function useRefuse(resource: AnyResource) {
  const sayLabel = useSay()
  const permissions = usePermissions()
  const ruleContext = useRuleContext()
  const { open } = useNotification()
  return (letter: string | undefined, row: Row | undefined): boolean => {
    const { action } = actionOfKey(resource, permissions, letter) ?? {}
    if (!action) return false
    const reason = row && refusalOf({ resource, action, row, context: ruleContext() })
    const message = reason ? sayLabel(keyWords.refused, { action: sayLabel(action.label) }) : sayLabel(keyWords.noRow)
    open?.({ type: 'progress', key: 'refused-key', message, description: sayLabel(reason ?? keyWords.noRowText) })
    return true
  }
}

/** Keyboard shortcuts of a list: j and k move, x selects, action keys start their action; with selected rows the bar over them answers those. */
export function ListKeys({ resource, rows, rowOffers, hasSelection, selected, onMove }: ListKeysProps) {
  const mark = useRef<HTMLSpanElement>(null)
  usePagePart(useMemo(() => ({ resource, hasSelection }), [resource, hasSelection]))
  const start = useStartAction()
  const read = useFocusedRow(mark, rows)
  const permissions = usePermissions()
  const refuse = useRefuse(resource)

  const press = useCallback(
    (event: KeyboardEvent) => {
      const letter = letterOf(event)
      const { items, last } = read()
      const step = stepOf(letter)
      if (step !== 0) {
        const next = Math.min(items.length - 1, Math.max(0, last.place + step))
        const [item, row] = [items[next], rows?.[next]]
        if (!item || !row) return false
        focusRow(item)
        onMove?.(row)
        return true
      }
      // Another row may stand at the remembered place by now: only one that the reader sees marked is acted on.
      const item = items.find(hasFocus) ?? items.find(isShown)
      const row = item && rows?.[items.indexOf(item)]
      if (letter === 'x' && hasSelection && item) {
        item.querySelector<HTMLInputElement>('input[type=checkbox]')?.click()
        return true
      }
      // The bar is still on its way: no row takes what is meant for the selection.
      if (selected > 0 && actionOfKey(resource, permissions, letter)) return true
      const offer = row && rowOffers(row).find(({ action }) => action.key !== undefined && action.key === letter)
      if (offer) start(offer)
      return offer !== undefined || refuse(letter, row)
    },
    [resource, permissions, rows, read, rowOffers, hasSelection, selected, onMove, start, refuse],
  )
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (!isElsewhere(event) && press(event)) event.preventDefault()
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [press])

  return <span ref={mark} hidden />
}
