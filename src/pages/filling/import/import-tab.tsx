import { useState } from 'react'
import { useDefinitions, useSay } from '#fields/definitions.tsx'
import { fillingWords } from '#pages/filling/filling-words.ts'
import { routeOf } from '#schema/definition.ts'
import { importedBy } from '#schema/import-columns.ts'
import type { ImportReport } from '#schema/wire/import-report.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { Button } from '#ui/input/button.tsx'
import { saveFile } from '#ui/input/save-file.ts'
import { tableFile } from '#ui/input/table-file.ts'
import { Card } from '#ui/layout/card.tsx'
import { LeaveDialog } from '#views/form/draft/leave-dialog.tsx'
import { useLeaveGuard } from '#views/form/draft/use-leave-guard.ts'
import { MappingCard } from './mapping-card.tsx'
import { rejectsFile } from './rejects-file.ts'
import { ReportCard } from './report-card.tsx'
import { SourceCard } from './source-card.tsx'
import { type ImportControl, useImport } from './use-import.ts'

type DoneCardProps = {
  control: ImportControl
  report: ImportReport
  /** The report has device keys that are in no file yet. */
  hasUnsavedKeys: boolean
  onKeysSaved: () => void
}

function DoneCard({ control, report, hasUnsavedKeys, onKeysSaved }: DoneCardProps) {
  const sayLabel = useSay()
  const definitions = useDefinitions()
  const { source, target, chooseFile } = control
  const list = definitions.get(importedBy(target))
  const { created, updated, skipped, failed, keys = [] } = report
  const saveRejects = () => source && saveFile('rejected.csv', rejectsFile(source.table, report, sayLabel(fillingWords.reason)))
  const saveKeys = () => {
    const head = ['code', 'uid', sayLabel(fillingWords.deviceKey)]
    saveFile('device-keys.csv', tableFile([head, ...keys.map(({ code, uid, deviceKey }) => [code, uid, deviceKey])], ','))
    onKeysSaved()
  }
  return (
    <Card>
      <div className="filling-stack">
        <Banner tone="good">{sayLabel(fillingWords.done, { created, updated, skipped, failed })}</Banner>
        {keys.length > 0 && (
          <Banner
            tone="warn"
            action={
              <Button icon="download" onClick={saveKeys}>
                {sayLabel(fillingWords.saveKeys)}
              </Button>
            }
          >
            {sayLabel(fillingWords.keysOnce)}
          </Banner>
        )}
        <div className="ui-actions">
          {list && (
            <Button kind="primary" href={`/${routeOf(list)}?sort=-createdAt`}>
              {sayLabel(fillingWords.toList)}
            </Button>
          )}
          <Button href="/filling/jobs">{sayLabel(fillingWords.toJobs)}</Button>
          {failed > 0 && (
            <Button icon="download" onClick={saveRejects}>
              {sayLabel(fillingWords.rejects)}
            </Button>
          )}
          <Button
            kind="text"
            disabled={hasUnsavedKeys}
            title={hasUnsavedKeys ? sayLabel(fillingWords.keysOnce) : undefined}
            onClick={() => void chooseFile(undefined)}
          >
            {sayLabel(fillingWords.another)}
          </Button>
        </div>
      </div>
    </Card>
  )
}

/** Import wizard: file, column mapping, dry run, result. */
export function ImportTab() {
  const control = useImport()
  const { source, report, problem, running } = control
  const [savedReport, setSavedReport] = useState<ImportReport>()
  const isDone = report !== undefined && !report.dryRun
  const hasUnsavedKeys = (report?.keys ?? []).length > 0 && report !== savedReport
  // No other answer has the keys of new boards, so neither the call nor its answer may be left by a slip.
  const { blocker } = useLeaveGuard(running?.kind === 'import' || hasUnsavedKeys)
  return (
    <div className="filling-stack">
      {!isDone && <SourceCard control={control} />}
      {!isDone && source && <MappingCard control={control} table={source.table} />}
      {problem && <Banner tone="bad">{problem.message}</Banner>}
      {source && report?.dryRun && <ReportCard control={control} report={report} table={source.table} />}
      {isDone && <DoneCard {...{ control, report, hasUnsavedKeys }} onKeysSaved={() => setSavedReport(report)} />}
      <LeaveDialog blocker={blocker} />
    </div>
  )
}
