import { useSay } from '#fields/definitions.tsx'
import type { Label } from '#schema/words.ts'
import { Button } from '#ui/input/button.tsx'
import { Checkbox } from '#ui/input/checkbox.tsx'
import { CheckboxGroup } from '#ui/input/checkbox-group.tsx'
import type { FieldAt } from './filterable-fields.ts'
import type { ColumnChoice } from './use-columns.tsx'

const words = {
  columns: ['Columns', 'Столбцы'],
  resetColumns: ['Default columns', 'Столбцы по умолчанию'],
  compact: ['Compact rows', 'Плотные строки'],
} as const satisfies Record<string, Label>

export type Density = 'normal' | 'compact'
export type ViewChoicesProps = {
  choice: ColumnChoice
  onColumns: (paths: readonly string[] | undefined) => void
  density: Density
  onDensity: (density: Density) => void
}

/** Visible columns keep their order; a new one is appended. */
const merged = (shown: readonly string[], chosen: readonly string[]) => [
  ...shown.filter((path) => chosen.includes(path)),
  ...chosen.filter((path) => !shown.includes(path)),
]

export function ViewChoices({ choice, onColumns, density, onDensity }: ViewChoicesProps) {
  const sayLabel = useSay()
  const name = ({ field, inside }: FieldAt) =>
    inside ? `${sayLabel(inside.label)}: ${sayLabel(field.label)}` : sayLabel(field.label)
  const choose = (chosen: string[]) => {
    if (chosen.length > 0) onColumns(merged(choice.shown, chosen))
  }
  return (
    <>
      <Checkbox checked={density === 'compact'} onChange={(isOn) => onDensity(isOn ? 'compact' : 'normal')}>
        {sayLabel(words.compact)}
      </Checkbox>
      <p className="view-menu-head">{sayLabel(words.columns)}</p>
      <CheckboxGroup
        label={sayLabel(words.columns)}
        options={choice.choices.map((each) => ({ value: each.path, label: name(each) }))}
        values={choice.shown}
        onChange={choose}
      />
      <div className="ui-popover-foot">
        <Button kind="text" size="small" onClick={() => onColumns(undefined)}>
          {sayLabel(words.resetColumns)}
        </Button>
      </div>
    </>
  )
}
