import { useCallback } from 'react'
import { useDefinitions, useLanguage, useSay } from '#fields/definitions.tsx'
import { fill } from '#fields/words.ts'
import { type ImportTarget, importTargets, isImportTarget, pairingLabel } from '#schema/import-columns.ts'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { FormField } from '#ui/form-field.tsx'
import { FormGrid } from '#ui/form-grid.tsx'
import { UploadInput } from '#ui/heavy.ts'
import { NativeSelect } from '#ui/native-select.tsx'
import { saveFile } from '#views/save-file.ts'
import { fillingWords } from './filling-words.ts'
import { tableFile } from './rejects-file.ts'
import type { ImportControl } from './use-import.ts'

/** What a target is called: its resource's name, or that of the pairings. */
export function useTargetName(): (target: string) => string {
  const sayLabel = useSay()
  const definitions = useDefinitions()
  return useCallback((target) => sayLabel(definitions.get(target)?.label.many ?? pairingLabel), [sayLabel, definitions])
}

/** Which records come, and in which file. */
export function SourceCard({ control }: { control: ImportControl }) {
  const sayLabel = useSay()
  const language = useLanguage()
  const nameOf = useTargetName()
  const { target, source, fault, columns, running, setTarget, chooseFile } = control
  const options = importTargets.map((name: ImportTarget) => ({ value: name, label: nameOf(name) }))
  const template = () => saveFile(`${target}.csv`, tableFile([columns.map(({ path }) => path)], language === 'ru' ? ';' : ','))
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
            <NativeSelect
              {...field}
              value={target}
              options={options}
              disabled={running !== undefined}
              onChange={(name) => isImportTarget(name) && setTarget(name)}
            />
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
      {fault && <Banner tone="bad">{fill(sayLabel(fillingWords[fault.code]), { line: fault.line })}</Banner>}
    </Card>
  )
}
