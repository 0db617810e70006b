import { Suspense, type SyntheticEvent, useEffect } from 'react'
import { useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { RecordPlace } from '#fields/file/record-place.ts'
import type { AnyResource } from '#schema/resource.ts'
import { AntdProvider } from '#ui/antd/lazy-antd.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Tag } from '#ui/feedback/tag.tsx'
import { Button } from '#ui/input/button.tsx'
import { Card } from '#ui/layout/card.tsx'
import { lazyCode } from '#ui/layout/lazy-chunk.tsx'
import { EndedRows } from '#views/actions/ended-rows.tsx'
import { letterOf } from '#views/keys/key-of.ts'
import { usePagePart } from '#views/keys/page-keys.ts'
import { sectionTitle } from '#views/shared/section-title.ts'
import { viewWords } from '#views/shared/words.ts'
import { FormChecks } from './checks/form-checks.tsx'
import { DraftOffer } from './draft/draft-offer.tsx'
import { LeaveDialog } from './draft/leave-dialog.tsx'
import { FaultSummary } from './fault-summary.tsx'
import { FillNote } from './fill-note.tsx'
import { FormFields } from './form-fields.tsx'
import type { FormStart } from './form-start.ts'
import { formWords } from './form-words.ts'
import { StaleMerge } from './merge/stale-merge.tsx'
import { useFill } from './use-fill.ts'
import { useFormPage } from './use-form-page.ts'
import type { RecordForm as FormEdit } from './use-record-form.ts'

/** Lazy: few forms have an outlook. */
const FormOutlook = lazyCode(() => import('./outlook/form-outlook.tsx').then((module) => ({ default: module.FormOutlook })))

export type RecordFormProps = {
  resource: AnyResource
  /** The stored record; absent for a new one. */
  record?: Row | undefined
  /** Initial values from a tab. Keep it referentially stable. */
  start?: FormStart | undefined
  /** Target of Cancel. */
  cancelPath: string
}

const newRecord: Row = {}

const isSaveKey = (event: KeyboardEvent) => (event.ctrlKey || event.metaKey) && !event.altKey && letterOf(event) === 's'

export function RecordForm({ resource, record, start, cancelPath }: RecordFormProps) {
  const sayLabel = useSay()
  const page = useFormPage({ resource, record, start })
  const { state, submit, isSaving, sentPercent, draft } = page
  const { setValue, note } = useFill(resource, state)
  const override = resource.checks?.override
  const shown = record ?? start?.shown ?? newRecord
  const inputs = { fields: state.fields, state: { ...state, setValue }, record: shown, disabled: isSaving }
  useSaveKey(() => void submit())
  usePagePart('form')
  const handleSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    void submit()
  }
  if (Object.keys(state.fields).length === 0) return <EmptyState icon="lock" title={sayLabel(formWords.nothingToEdit)} />
  return (
    <RecordPlace value={resource.name}>
      <form className="form-page" noValidate onSubmit={handleSubmit} aria-busy={isSaving || undefined}>
        <DraftOffer draft={draft} onRestore={page.restore} />
        <FaultSummary faults={state.summary} fields={state.fields} ref={page.summary} />
        {page.stale && (
          <StaleMerge
            {...page.stale}
            base={state.form.base}
            mine={{ ...record, ...state.form.values }}
            busy={isSaving}
            onSave={(values) => void page.settle(values)}
            onCancel={page.dismiss}
          />
        )}
        <AntdProvider>
          {state.sections.map(({ name, names }) => (
            <Card key={name} title={sayLabel(sectionTitle(resource, name))}>
              <FormFields {...inputs} names={names.filter((name) => name !== override)} />
              {note && names.includes(note.name) && <FillNote fields={state.fields} kept={note.kept} />}
              <Effects {...{ resource, record, names, state }} />
            </Card>
          ))}
        </AntdProvider>
        {resource.checks && !record && (
          <FormChecks
            checks={resource.checks}
            values={state.form.values}
            record={newRecord}
            override={override && <FormFields {...inputs} names={[override]} columns={1} />}
          />
        )}
        <footer className="form-foot">
          <Button kind="primary" type="submit" icon={record ? 'save' : 'plus'} busy={isSaving}>
            {sayLabel(record ? formWords.save : viewWords.create)}
          </Button>
          <Button href={cancelPath}>{sayLabel(viewWords.cancel)}</Button>
          {sentPercent !== undefined && <SentShare percent={sentPercent} />}
          {state.changed.length > 0 && <Tag tone="warn">{sayLabel(formWords.unsaved)}</Tag>}
        </footer>
        <LeaveDialog blocker={page.blocker} onLeave={draft.leave} />
      </form>
    </RecordPlace>
  )
}

type EffectsProps = Pick<RecordFormProps, 'resource' | 'record'> & { names: readonly string[]; state: FormEdit }

/** The effects of a section's values, before they are saved: records taken in, and rows that end. */
function Effects({ resource, record, names, state }: EffectsProps) {
  const { ends } = resource
  const ending = ends && record ? state.changed.filter((name) => names.includes(name) && ends[name]) : []
  if (!resource.outlook && ending.length === 0) return null
  return (
    <Suspense fallback={null}>
      {resource.outlook && (
        <FormOutlook {...{ resource, names, fields: state.fields }} values={{ ...record, ...state.form.values }} />
      )}
      {ending.map((name) => (
        <EndedRows key={name} {...{ resource, record }} ends={ends?.[name]} />
      ))}
    </Suspense>
  )
}

function SentShare({ percent }: { percent: number }) {
  const text = useSay()(formWords.sent, { percent })
  return (
    <>
      <progress max={100} value={percent} aria-label={text} />
      <span aria-hidden="true">{text}</span>
    </>
  )
}

/** Ctrl+S saves the form, wherever the focus is, instead of the page as a file; under a dialog it does nothing. */
function useSaveKey(save: () => void): void {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (!isSaveKey(event)) return
      event.preventDefault()
      if (!document.querySelector('[aria-modal=true]')) save()
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  })
}
