import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { type Filter, operatorsOf } from '#schema/list-query.ts'
import { Button } from '#ui/input/button.tsx'
import { Checkbox } from '#ui/input/checkbox.tsx'
import { useUiWords } from '#ui/theme/ui-words.tsx'
import { useSay } from './definitions.tsx'
import type { FilterProps } from './field-kind.ts'
import { fieldWords } from './words.ts'

export type FilterFrameProps = FilterProps & {
  /** Reads the draft when it is applied; absent: every change applies at once. */
  read?: (() => readonly Filter[]) | undefined
  children: ReactNode
}

/** Common frame of all filters: the control, "empty" and "filled" where possible, and the buttons. */
export function FilterFrame({ field, path, filters, onChange, close, read, children }: FilterFrameProps) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (!form.current?.contains(document.activeElement)) form.current?.querySelector('input')?.focus()
  }, [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const asked = read?.()
    // Nothing typed does not take back a ticked "empty" or "filled".
    if (asked && (asked.length > 0 || !filters.some(({ op }) => op === 'null'))) onChange(asked)
    close()
  }
  const clear = () => {
    onChange([])
    close()
  }
  return (
    <form className="field-filter" onSubmit={submit} ref={form}>
      {children}
      {field.required !== true && operatorsOf(field).includes('null') && (
        <EmptyToggles path={path} filters={filters} onChange={onChange} />
      )}
      <FilterButtons hasApply={Boolean(read)} canClear={filters.length > 0} onClear={clear} />
    </form>
  )
}

type FilterButtonsProps = { hasApply: boolean; canClear: boolean; onClear: () => void }

function FilterButtons({ hasApply, canClear, onClear }: FilterButtonsProps) {
  const words = useUiWords()
  return (
    <div className="ui-popover-foot">
      <Button kind="text" size="small" disabled={!canClear} onClick={onClear}>
        {words.clear}
      </Button>
      {hasApply && (
        <Button kind="primary" size="small" type="submit">
          {words.apply}
        </Button>
      )}
    </div>
  )
}

/** Filter by presence; it excludes the other conditions of the field. */
function EmptyToggles({ path, filters, onChange }: Pick<FilterProps, 'path' | 'filters' | 'onChange'>) {
  const sayLabel = useSay()
  const asked = filters.find(({ op }) => op === 'null')?.values[0]
  const toggle = (wanted: boolean) => (isOn: boolean) => onChange(isOn ? [{ field: path, op: 'null', values: [wanted] }] : [])
  return (
    <div className="field-filter-empty">
      <Checkbox checked={asked === true} onChange={toggle(true)}>
        {sayLabel(fieldWords.empty)}
      </Checkbox>
      <Checkbox checked={asked === false} onChange={toggle(false)}>
        {sayLabel(fieldWords.filled)}
      </Checkbox>
    </div>
  )
}
