import { useEffect, useId, useRef, useState } from 'react'
import { useConsole, useSay } from '#fields/definitions.tsx'
import { FieldDisplay } from '#fields/field-display.tsx'
import type { Row } from '#fields/field-kind.ts'
import { formatMoment } from '#fields/time/time-format.ts'
import type { Fields } from '#schema/field-types.ts'
import { systemFields } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'
import type { Label } from '#schema/words.ts'
import { Button } from '#ui/input/button.tsx'
import { Card } from '#ui/layout/card.tsx'
import type { Values } from '#views/form/form-values.ts'
import { formWords } from '#views/form/form-words.ts'
import { viewWords } from '#views/shared/words.ts'

export type Side = 'mine' | 'theirs'
export type StaleMergeProps = {
  fields: Fields
  /** Paths changed on both sides. */
  conflicts: readonly string[]
  base: Row
  mine: Row
  theirs: Row
  busy: boolean
  /** Label of the main button, when the choice is not saved at once. */
  confirm?: Label
  onSave: (values: Values) => void
  onCancel: () => void
}

const sides = ['mine', 'theirs'] as const

/** Conflict resolution: the viewer picks one value per field. */
export function StaleMerge({ fields, conflicts, base, mine, theirs, busy, confirm, onSave, onCancel }: StaleMergeProps) {
  const sayLabel = useSay()
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({})
  const rows = { mine, theirs }
  const place = useRef<HTMLElement>(null)
  // The Save button is at the end of a long form and this choice at its start: scroll to it and focus it.
  useEffect(() => {
    place.current?.scrollIntoView?.({ block: 'center' })
    place.current?.focus({ preventScroll: true })
  }, [])
  const sideOf = (name: string): Side => chosen[name] ?? 'mine'
  const save = () => onSave(Object.fromEntries(conflicts.map((name) => [name, valueAt(rows[sideOf(name)], name) ?? null])))
  // In a dialog the main button is the last, on a page the first.
  const cancel = <Button onClick={onCancel}>{sayLabel(viewWords.cancel)}</Button>
  return (
    <section className="form-stale" role="alert" ref={place} tabIndex={-1}>
      <Card
        title={sayLabel(formWords.staleTitle)}
        footer={
          <div className="ui-actions">
            {confirm && cancel}
            <Button kind="primary" icon={confirm ? 'check' : 'save'} busy={busy} onClick={save}>
              {sayLabel(confirm ?? formWords.saveChoice)}
            </Button>
            {!confirm && cancel}
          </div>
        }
      >
        <Author theirs={theirs} />
        <p>{sayLabel(conflicts.length > 0 ? formWords.staleText : formWords.staleClean)}</p>
        {conflicts.map((name) => (
          <Conflict
            key={name}
            {...{ name, fields, base, rows }}
            side={sideOf(name)}
            onChoose={(side) => setChosen((before) => ({ ...before, [name]: side }))}
          />
        ))}
      </Card>
    </section>
  )
}

/** Author and time of the other change, if the record has them. */
function Author({ theirs }: { theirs: Row }) {
  const { language, zone } = useConsole()
  const sayLabel = useSay()
  const { updatedAt } = theirs
  if (typeof updatedAt !== 'string') return null
  return (
    <p>
      {sayLabel(formWords.changedAt, { time: formatMoment(updatedAt, language, zone) })}{' '}
      <FieldDisplay field={systemFields.updatedBy} path="updatedBy" row={theirs} place="cell" />
    </p>
  )
}

type ConflictProps = {
  name: string
  fields: Fields
  base: Row
  rows: Readonly<Record<Side, Row>>
  side: Side
  onChoose: (side: Side) => void
}

function Conflict({ name, fields, base, rows, side, onChoose }: ConflictProps) {
  const sayLabel = useSay()
  const group = useId()
  const field = fields[name]
  if (!field) return null
  return (
    <fieldset className="form-conflict">
      <legend>{sayLabel(field.label)}</legend>
      <div className="form-conflict-base">
        <span>{sayLabel(formWords.base)}</span>
        <FieldDisplay field={field} path={name} row={base} place="cell" />
      </div>
      {sides.map((each) => (
        <label key={each} className="form-conflict-side">
          <input type="radio" name={group} checked={side === each} onChange={() => onChoose(each)} />
          <span>{sayLabel(formWords[each])}</span>
          <FieldDisplay field={field} path={name} row={rows[each]} place="link" />
        </label>
      ))}
    </fieldset>
  )
}
