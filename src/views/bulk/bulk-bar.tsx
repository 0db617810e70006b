import { useNotification } from '@refinedev/core'
import { Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { usePermissions, useRuleContext, useSay } from '#fields/definitions.tsx'
import type { ScreenState } from '#schema/list-query.ts'
import type { Action, AnyResource } from '#schema/resource.ts'
import { Button } from '#ui/input/button.tsx'
import { IconButton } from '#ui/input/icon-button.tsx'
import { lazyCode } from '#ui/layout/lazy-chunk.tsx'
import { useNarrow } from '#ui/layout/use-narrow.ts'
import { Menu, type MenuEntry } from '#ui/overlay/menu.tsx'
import { useStartAction } from '#views/actions/action-host.tsx'
import { bulkActions, type RunOptions } from '#views/actions/action-offer.ts'
import { iconName } from '#views/actions/icon-name.ts'
import { useRunAction } from '#views/actions/use-run-action.ts'
import type { ListSource } from '#views/list/refine-query.ts'
import type { Selection } from '#views/list/use-selection.ts'
import { useInvalidateResource } from '#views/shared/use-invalidate-resource.ts'
import { viewWords } from '#views/shared/words.ts'
import './bulk.css'
import { bulkWords } from './bulk-words.ts'
import { ExportSelection } from './export-selection.tsx'
import { type BulkResult, runBulk } from './run-bulk.ts'
import { useBarHeight } from './use-bar-height.ts'
import { maxSelected, useSelectMatching } from './use-select-matching.ts'
import { useSelectionForms } from './use-selection-forms.ts'
import { useSelectionKeys } from './use-selection-keys.ts'

const BulkResults = lazyCode(() => import('./bulk-results.tsx').then((module) => ({ default: module.BulkResults })))

export type BulkBarProps = {
  resource: AnyResource
  selection: Selection
  total: number | undefined
  source: ListSource | undefined
  asked: ScreenState
  columns: readonly string[]
}

/** Actions beside the menu: with the longer words of Russian they stand in one line on a laptop. */
const mostShown = 3

type Progress = { done: number; count: number }
type Finished = { action: Action; results: readonly BulkResult[] }

/** Actions of the selected rows; each row gets its own result. */
export function BulkBar({ resource, selection, total, source, asked, columns }: BulkBarProps) {
  const sayLabel = useSay()
  const permissions = usePermissions()
  const start = useStartAction()
  const { run, progress, finished, dismiss } = useBulk(resource, selection)
  const { selectAll, stop, isBusy } = useSelectMatching({ resource: resource.name, asked, source, selection })
  const forms = useSelectionForms(resource, selection.keys)
  const isNarrow = useNarrow()
  const isRunning = progress !== undefined
  const count = selection.keys.size
  const isOver = count === 0
  const bar = useRef<HTMLElement>(null)
  useBarHeight(bar, !isOver)
  useEffect(() => {
    if (isOver) focusList()
  }, [isOver])
  const handleClear = () => {
    stop()
    selection.clear()
  }
  const results = finished && (
    <Suspense fallback={null}>
      <BulkResults resource={resource} {...finished} onClose={dismiss} />
    </Suspense>
  )
  const note = sayLabel(bulkWords.selected, { count })
  const offers = bulkActions(resource, permissions).map(({ name, action }) => ({
    key: name,
    label: sayLabel(action.label),
    icon: iconName(action.icon),
    disabled: isRunning,
    onSelect: () =>
      start(
        { resource, name, action },
        { run: (options) => run(name, action, options), note, rows: selection.rows, onClosed: focusList },
      ),
  }))
  useSelectionKeys(resource, offers, !isOver)
  if (isOver) return results ?? null
  const shown = isNarrow ? 1 : mostShown
  const rest: MenuEntry[] = [...offers.slice(shown), ...forms]
  return (
    <section ref={bar} className="view-bulk" aria-label={note}>
      <IconButton icon="close" size="small" label={sayLabel(bulkWords.unselect)} disabled={isRunning} onClick={handleClear} />
      <span aria-live="polite">{progress ? sayLabel(bulkWords.running, progress) : note}</span>
      {total !== undefined && count < Math.min(total, maxSelected) && (
        <Button size="small" kind="text" busy={isBusy} onClick={() => void selectAll()}>
          {sayLabel(total > maxSelected ? bulkWords.selectFirst : bulkWords.selectAll, {
            count: Math.min(total, maxSelected),
          })}
        </Button>
      )}
      {offers.slice(0, shown).map(({ key, label, icon, onSelect }) => (
        <Button key={key} size="small" icon={icon} busy={isRunning} onClick={onSelect}>
          {label}
        </Button>
      ))}
      {rest.length > 0 && <Menu label={sayLabel(viewWords.more)} items={rest} size="small" kind="default" />}
      <ExportSelection {...{ resource, selection, source, columns }} sort={asked.sort} />
      {results}
    </section>
  )
}

/** The focused button disappears with the selection: the focus moves to the list, unless it stands elsewhere by then. */
function focusList(): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return
    document.querySelector<HTMLElement>('.view-list .ui-grid, .view-list [data-row-link]')?.focus({ preventScroll: true })
  })
}

function useBulk(resource: AnyResource, selection: Selection) {
  const runOne = useRunAction()
  const ruleContext = useRuleContext()
  const invalidate = useInvalidateResource()
  const [progress, setProgress] = useState<Progress>()
  const [finished, setFinished] = useState<Finished>()
  const { rows, drop } = selection
  const sayLabel = useSay()
  const { open } = useNotification()
  const run = useCallback(
    async (name: string, action: Action, { values, from }: RunOptions) => {
      const count = rows.size
      setProgress({ done: 0, count })
      const results = await runBulk({
        rows,
        action,
        context: ruleContext(),
        run: (id, record) => runOne({ resource, name, action, id, record }, { values, from, isPart: true }),
        onProgress: (done) => setProgress({ done, count }),
      })
      setProgress(undefined)
      // Rows that were ticked meanwhile stay.
      drop(rows.keys())
      await invalidate(resource, action.refresh)
      // Last, so that the dialog that asked closes as the results open. Secrets are shown once; of plain successes there is nothing to read.
      const isPlain = !action.reveals && results.every(({ outcome }) => outcome === 'done')
      if (isPlain) {
        const message = sayLabel(bulkWords.allDone, { name: sayLabel(action.label), count })
        open?.({ type: 'success', key: `${resource.name}-${name}`, message })
      } else setFinished({ action, results })
    },
    [drop, resource, rows, ruleContext, runOne, invalidate, open, sayLabel],
  )
  const dismiss = () => {
    setFinished(undefined)
    focusList()
  }
  return { run, progress, finished, dismiss }
}
