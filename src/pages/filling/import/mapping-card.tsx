import { useSay } from '#fields/definitions.tsx'
import { fillingWords } from '#pages/filling/filling-words.ts'
import { RunningNote } from '#pages/filling/running-note.tsx'
import type { CsvTable } from '#schema/format/read-csv.ts'
import { keyedTargets } from '#schema/import-columns.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { Button } from '#ui/input/button.tsx'
import { Checkbox } from '#ui/input/checkbox.tsx'
import { FormField } from '#ui/input/form-field.tsx'
import { FormGrid } from '#ui/input/form-grid.tsx'
import { NativeSelect } from '#ui/input/native-select.tsx'
import { Card } from '#ui/layout/card.tsx'
import type { ImportControl } from './use-import.ts'

const mostExamples = 3

const examplesOf = ({ rows }: CsvTable, index: number): string[] => {
  const texts = rows.slice(0, 200).map((row) => row[index]?.trim() ?? '')
  return [...new Set(texts.filter(Boolean))].slice(0, mostExamples).map((text) => text.slice(0, 40))
}

function ColumnField({ control, table, index }: { control: ImportControl; table: CsvTable; index: number }) {
  const sayLabel = useSay()
  const { columns, map, running, setColumn } = control
  const examples = examplesOf(table, index)
  const taken = new Set(map.filter((_, other) => other !== index))
  const options = columns.map(({ path, label, required }) => ({
    value: path,
    label: `${sayLabel(label)}${required ? ' *' : ''}`,
    disabled: taken.has(path),
  }))
  const head = table.head[index]?.trim() || sayLabel(fillingWords.unnamed, { number: index + 1 })
  const hint =
    examples.length > 0 ? sayLabel(fillingWords.example, { values: examples.join(', ') }) : sayLabel(fillingWords.noValues)
  return (
    <FormField label={head} hint={hint}>
      {(field) => (
        <NativeSelect
          {...field}
          value={map[index] ?? ''}
          placeholder={sayLabel(fillingWords.leaveOut)}
          options={options}
          disabled={running !== undefined}
          onChange={(path) => setColumn(index, path)}
        />
      )}
    </FormField>
  )
}

/** Mapping of columns to fields; guessed by header, editable. */
export function MappingCard({ control, table }: { control: ImportControl; table: CsvTable }) {
  const sayLabel = useSay()
  const { columns, map, update, keys, target, running, setUpdate, setKeys, check } = control
  const missing = columns.filter(({ path, required }) => required && !map.includes(path))
  const isChosen = map.some((path) => path !== undefined)
  return (
    <Card title={sayLabel(fillingWords.mapping)}>
      <div className="filling-stack">
        <FormGrid columns={2}>
          {table.head.map((head, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: heads may be alike; a column is its place
            <ColumnField key={`${head} ${index}`} control={control} table={table} index={index} />
          ))}
        </FormGrid>
        {missing.length > 0 && (
          <Banner tone="warn">
            {sayLabel(fillingWords.missing, { names: missing.map(({ label }) => sayLabel(label)).join(', ') })}
          </Banner>
        )}
        {target !== 'pairing' && (
          <div>
            <Checkbox checked={update} disabled={running !== undefined} onChange={setUpdate}>
              {sayLabel(fillingWords.update)}
            </Checkbox>
            <p className="dash-note">{sayLabel(fillingWords.updateHint)}</p>
          </div>
        )}
        {keyedTargets.has(target) && (
          <div>
            <Checkbox checked={keys} disabled={running !== undefined} onChange={setKeys}>
              {sayLabel(fillingWords.keys)}
            </Checkbox>
            <p className="dash-note">{sayLabel(fillingWords.keysHint)}</p>
          </div>
        )}
        <div className="ui-actions">
          <Button
            kind="primary"
            icon="check"
            busy={running?.kind === 'check'}
            disabled={!isChosen || running !== undefined}
            onClick={check}
          >
            {sayLabel(fillingWords.check)}
          </Button>
          {running?.kind === 'check' && <RunningNote running={running} />}
        </div>
      </div>
    </Card>
  )
}
