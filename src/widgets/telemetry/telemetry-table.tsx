import { memo, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { useLanguage, useSay } from '#fields/definitions.tsx'
import { type Channel, factsOf } from '#resources/fleet/channel-of.ts'
import { formatDuration } from '#schema/format/format.ts'
import { measuredText } from '#schema/format/measured-text.ts'
import type { Language } from '#schema/words.ts'
import type { CursorStore } from '#ui/chart/cursor-store.ts'
import { channelText } from './channel-text.ts'
import { momentText } from './moment-text.ts'
import { indexOf, type SeriesData } from './panel/series-data.ts'
import { rowAt, type TableRow, tableRows } from './table-rows.ts'
import './telemetry-table.css'
import { telemetryWords } from './telemetry-words.ts'

export type TelemetryTableProps = {
  data: SeriesData
  channels: readonly Channel[]
  zone: string | undefined
  cursor: CursorStore
}

/** The charts as a table; hovering a row moves the cursor of the charts. */
export function TelemetryTable({ data, channels, zone, cursor }: TelemetryTableProps) {
  const sayLabel = useSay()
  const language = useLanguage()
  const box = useRef<HTMLElement>(null)
  const rows = useMemo(() => tableRows(data, channels), [data, channels])
  useCursorRow(box, cursor, { data, rows })
  const label = sayLabel(telemetryWords.tableLabel)
  return (
    <section
      ref={box}
      className="tele-table"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled box must be reachable for the arrow keys
      tabIndex={0}
      onPointerLeave={() => cursor.point(undefined)}
    >
      <table>
        <caption className="ui-hidden">{label}</caption>
        <thead>
          <tr>
            <th scope="col">{sayLabel(telemetryWords.zone)}</th>
            {channels.map((name) => (
              <th key={name} scope="col">
                {sayLabel(factsOf(name).label)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.atMs} {...{ row, channels, zone, language, cursor }} stepMs={data.stepMs} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

type RowProps = {
  row: TableRow
  channels: readonly Channel[]
  zone: string | undefined
  language: Language
  cursor: CursorStore
  stepMs: number
}

const isSame = (one: RowProps, other: RowProps) =>
  one.zone === other.zone &&
  one.language === other.language &&
  one.channels === other.channels &&
  JSON.stringify(one.row) === JSON.stringify(other.row)

// Memo: of hundreds of rows only one changes with a new sample.
const Row = memo(function Row({ row, channels, zone, language, cursor, stepMs }: RowProps) {
  const sayLabel = useSay()
  const text = (atMs: number) => momentText(atMs, stepMs, language, zone)
  if (row.kind === 'gap')
    return (
      <tr className="tele-gap" data-at={row.atMs} onPointerEnter={() => cursor.point(row.atMs)}>
        <th scope="row">{text(row.atMs)}</th>
        <td colSpan={channels.length}>
          {sayLabel(telemetryWords.noDataFor, { time: formatDuration((row.toMs - row.atMs) / 1000, language) })}
        </td>
      </tr>
    )
  return (
    <tr data-at={row.atMs} onPointerEnter={() => cursor.point(row.atMs)}>
      <th scope="row">{text(row.atMs)}</th>
      {channels.map((name, index) => (
        <ValueCell
          key={name}
          text={channelText(name, row.values[index] ?? null, language)}
          pct={row.estimatedPct[index] ?? 0}
        />
      ))}
    </tr>
  )
}, isSame)

/** An estimated value says so: by a sign to the eye, and in words on demand and to a screen reader. */
function ValueCell({ text, pct }: { text: string; pct: number }) {
  const sayLabel = useSay()
  const language = useLanguage()
  if (text === '' || pct === 0) return <td>{text || '—'}</td>
  const words = sayLabel(telemetryWords.estimated, { pct: measuredText(pct, '%', language) })
  return (
    <td title={words}>
      <span aria-hidden="true">≈ </span>
      {text}
      <span className="ui-hidden">, {words}</span>
    </td>
  )
}

type Shown = { data: SeriesData; rows: readonly TableRow[] }

/** Marks the row at the charts' cursor, including a gap's row, and scrolls it into view. */
function useCursorRow(box: { readonly current: HTMLElement | null }, cursor: CursorStore, { data, rows }: Shown): void {
  const atMs = useSyncExternalStore(cursor.subscribe, () => cursor.at)
  useEffect(() => {
    const index = atMs === undefined ? undefined : indexOf(data, atMs)
    const time = index === undefined ? undefined : data.times[index]
    const shown = time === undefined ? undefined : rowAt(rows, time)
    const row = shown && box.current?.querySelector<HTMLElement>(`[data-at="${shown.atMs}"]`)
    if (!row || !box.current) return
    row.dataset.here = ''
    if (!box.current.matches(':hover')) box.current.scrollTop = row.offsetTop - box.current.clientHeight / 2
    return () => void delete row.dataset.here
  }, [atMs, data, rows, box])
}
