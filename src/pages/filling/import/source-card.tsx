import { useCallback } from 'react'
import { useDefinitions, useLanguage, useSay } from '#fields/definitions.tsx'
import { fillingWords } from '#pages/filling/filling-words.ts'
import { decimalMark } from '#schema/format/format.ts'
import { pairingLabel } from '#schema/import-columns.ts'
import { UploadInput } from '#ui/antd/lazy-antd.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { Button } from '#ui/input/button.tsx'
import { FormField } from '#ui/input/form-field.tsx'
import { FormGrid } from '#ui/input/form-grid.tsx'
import { NativeSelect } from '#ui/input/native-select.tsx'
import { saveFile } from '#ui/input/save-file.ts'
import { tableFile } from '#ui/input/table-file.ts'
import { Card } from '#ui/layout/card.tsx'
import type { ImportControl } from './use-import.ts'

/** Label of a target: its resource, or the pairings. */
export function useTargetName(): (target: string) => string {
  const sayLabel = useSay()
  const definitions = useDefinitions()
  return useCallback((target) => sayLabel(definitions.get(target)?.label.many ?? pairingLabel), [sayLabel, definitions])
}

export function SourceCard({ control }: { control: ImportControl }) {
  const sayLabel = useSay()
  const language = useLanguage()
  const nameOf = useTargetName()
  const { target, targets, source, fault, columns, running, setTarget, chooseFile } = control
  const options = targets.map((name) => ({ value: name, label: nameOf(name) }))
  const template = () =>
    saveFile(`${target}.csv`, tableFile([columns.map(({ path }) => path)], decimalMark(language) === ',' ? ';' : ','))
  return (
    <Card
      title={sayLabel(fillingWords.source)}
      actions={
        <Button kind="text" icon="download" onClick={template}>
          {sayLabel(fillingWords.template)}
        </Button>
      }
    >
      <FormGrid columns={2}>
        <FormField label={sayLabel(fillingWords.target)}>
          {(field) => (
            <NativeSelect {...field} value={target} options={options} disabled={running !== undefined} onChange={setTarget} />
          )}
        </FormField>
        <FormField label={sayLabel(fillingWords.file)} hint={sayLabel(fillingWords.fileHint)}>
          {(field) => (
            <UploadInput
              {...field}
              accept=".csv,text/csv"
              value={source?.file}
              disabled={running !== undefined}
              onChange={(file) => void chooseFile(file)}
            />
          )}
        </FormField>
      </FormGrid>
      {fault && <Banner tone="bad">{sayLabel(fillingWords[fault.code], { line: fault.line })}</Banner>}
    </Card>
  )
}
