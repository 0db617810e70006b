import { useMemo } from 'react'
import { useConsole, useSay } from '#fields/definitions.tsx'
import { fillingWords } from '#pages/filling/filling-words.ts'
import { RunningNote } from '#pages/filling/running-note.tsx'
import { formatNumber } from '#schema/format/format.ts'
import type { CsvTable } from '#schema/format/read-csv.ts'
import type { ImportFault, ImportReport } from '#schema/wire/import-report.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { DataGrid } from '#ui/grid/data-grid.tsx'
import type { GridColumn } from '#ui/grid/data-grid-types.ts'
import { Button } from '#ui/input/button.tsx'
import { saveFile } from '#ui/input/save-file.ts'
import { Card } from '#ui/layout/card.tsx'
import { rejectsFile } from './rejects-file.ts'
import type { ImportControl } from './use-import.ts'

const figures = ['total', 'created', 'updated', 'skipped', 'failed', 'letters', 'newKeys'] as const
/** Told only where there are some. */
const rare: ReadonlySet<string> = new Set(['letters', 'newKeys'])
const wordOf = { ...fillingWords, total: fillingWords.rows }

function Figures({ report }: { report: ImportReport }) {
  const sayLabel = useSay()
  const { language } = useConsole()
  return (
    <dl className="filling-figures">
      {figures
        .filter((name) => !rare.has(name) || report[name])
        .map((name) => (
          <div key={name} data-tone={name === 'failed' && report.failed > 0 ? 'bad' : 'idle'}>
            <dt>{sayLabel(wordOf[name])}</dt>
            <dd>{formatNumber(report[name] ?? 0, 0, language)}</dd>
          </div>
        ))}
    </dl>
  )
}

/** Number of rows that fit without a scroll bar, which some systems hide. */
const shownAtOnce = 9

const keyOf = ({ row, column, message }: ImportFault) => `${row} ${column} ${message}`

function FaultGrid({ report }: { report: ImportReport }) {
  const sayLabel = useSay()
  const columns = useMemo(
    (): GridColumn<ImportFault>[] => [
      { key: 'row', header: sayLabel(fillingWords.row), cell: ({ row }) => row, align: 'end', width: 80 },
      {
        key: 'column',
        header: sayLabel(fillingWords.column),
        cell: ({ label, column }) => label ?? column ?? sayLabel(fillingWords.wholeRow),
        width: 190,
      },
      { key: 'value', header: sayLabel(fillingWords.value), cell: ({ value }) => value || '—', width: 190 },
      { key: 'fault', header: sayLabel(fillingWords.fault), cell: ({ message }) => message, width: 320, wrap: true },
    ],
    [sayLabel],
  )
  const rows = new Set(report.faults.map(({ row }) => row)).size
  const isCut = report.rejects.length > rows
  return (
    <>
      {report.faults.length > shownAtOnce && (
        <p className="dash-note">{sayLabel(fillingWords.faultCount, { faults: report.faults.length, rows })}</p>
      )}
      <DataGrid
        label={sayLabel(fillingWords.faults)}
        columns={columns}
        rows={report.faults}
        rowKey={keyOf}
        density="compact"
        maxHeight={420}
      />
      {isCut && <p className="dash-note">{sayLabel(fillingWords.moreFaults, { count: report.faults.length })}</p>}
    </>
  )
}

type ReportCardProps = { control: ImportControl; report: ImportReport; table: CsvTable }

/** Result of a dry run, and the choice between all rows and the valid ones. */
export function ReportCard({ control, report, table }: ReportCardProps) {
  const sayLabel = useSay()
  const { running, write, source } = control
  const good = report.created + report.updated
  const newKeys = report.newKeys ?? 0
  const hasWork = good + newKeys > 0
  const isWhole = report.failed === 0
  const rowsLabel = sayLabel(isWhole ? fillingWords.importAll : fillingWords.importValid, { count: good })
  const label = good > 0 ? rowsLabel : sayLabel(fillingWords.makeKeys, { count: newKeys })
  const name = `${(source?.file.name ?? 'file').replace(/\.csv$/i, '')}-rejected.csv`
  const saveRejects = () => saveFile(name, rejectsFile(table, report, sayLabel(fillingWords.reason)))
  return (
    <Card title={sayLabel(fillingWords.preview)}>
      <div className="filling-stack">
        <Figures report={report} />
        {report.ignored.length > 0 && (
          <p className="dash-note">{sayLabel(fillingWords.ignored, { names: report.ignored.join(', ') })}</p>
        )}
        {!isWhole && <Banner tone="warn">{sayLabel(fillingWords.allOrValid)}</Banner>}
        {!isWhole && <FaultGrid report={report} />}
        {!hasWork && <p>{sayLabel(fillingWords.nothing)}</p>}
        <div className="ui-actions">
          {hasWork && (
            <Button
              kind={isWhole ? 'primary' : 'default'}
              icon="upload"
              busy={running?.kind === 'import'}
              disabled={running !== undefined}
              onClick={() => write(!isWhole)}
            >
              {label}
            </Button>
          )}
          {!isWhole && (
            <Button icon="download" onClick={saveRejects}>
              {sayLabel(fillingWords.rejects)}
            </Button>
          )}
          {running?.kind === 'import' && <RunningNote running={running} />}
        </div>
      </div>
    </Card>
  )
}
