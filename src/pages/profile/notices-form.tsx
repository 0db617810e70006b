import type { BaseRecord } from '@refinedev/core'
import { type FormEvent, useState } from 'react'
import { useDefinitions, useSay } from '#fields/definitions.tsx'
import { noticeDefaults } from '#resources/fleet/notice-defaults.ts'
import { choiceLabel, choicesOf } from '#schema/facts/choices.ts'
import type { Field } from '#schema/field-types.ts'
import type { Role } from '#schema/roles.ts'
import { valueAt } from '#schema/rule.ts'
import type { Label } from '#schema/words.ts'
import { useAccount } from '#shell/account.ts'
import { useWords } from '#shell/use-words.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { Button } from '#ui/input/button.tsx'
import { FormField } from '#ui/input/form-field.tsx'
import { FormGrid } from '#ui/input/form-grid.tsx'
import { NativeSelect } from '#ui/input/native-select.tsx'
import { Card } from '#ui/layout/card.tsx'
import { LeaveDialog } from '#views/form/draft/leave-dialog.tsx'
import { profileInputId } from './profile-field.tsx'
import { useSaveOwn } from './use-save-own.ts'
import { useUnsaved } from './use-unsaved.ts'

/** Id of the input of a setting, or of a path to it. */
const noticeInputId = (path: string) => profileInputId(`notices-${path.split('.').at(-1)}`)

type Chosen = Record<string, string | number>

/** Clients are notified of their own sites only. */
const choosesSites = (role: Role) => role !== 'client'

/** A field's options by value; undefined for a field without options. */
function optionsOf(field: Field): [string | number, Label][] | undefined {
  if (field.type === 'enum') return choicesOf(field).map((value) => [value, choiceLabel(field, value)])
  if (field.type !== 'integer' || !field.options) return undefined
  return Object.entries(field.options).map(([value, label]) => [Number(value), label])
}

/** Effective settings, by precedence: edited, stored, default of the role. */
function useNotices(record: BaseRecord) {
  const { user } = useAccount()
  const { save, problem, isBusy } = useSaveOwn(record, noticeInputId)
  const [chosen, setChosen] = useState<Chosen>({})
  const defaults: Chosen = noticeDefaults(user.role)
  const stored: Chosen = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [
      name,
      (valueAt(record.notificationPrefs, name) ?? value) as string | number,
    ]),
  )
  const values = { ...stored, ...chosen }
  const isDirty = Object.entries(values).some(([name, value]) => value !== stored[name])
  const saveChosen = async () => {
    if (await save({ notificationPrefs: values })) setChosen({})
  }
  const set = (name: string, value: string | number) => setChosen((known) => ({ ...known, [name]: value }))
  return { values, set, isDirty, isBusy, problem, save: saveChosen }
}

/** Notification settings: which warnings, by which channel, how soon. */
export function NoticesForm({ record }: { record: BaseRecord }) {
  const words = useWords()
  const sayLabel = useSay()
  const { user } = useAccount()
  const { values, set, isDirty, isBusy, problem, save } = useNotices(record)
  const blocker = useUnsaved(isDirty)
  const group = useDefinitions().get('user')?.fields.notificationPrefs
  if (group?.type !== 'group') return null
  const shown = Object.entries(group.fields).filter(([name]) => name !== 'sites' || choosesSites(user.role))
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (isDirty && !isBusy) void save()
  }
  return (
    <Card title={sayLabel(group.label)}>
      <form className="shell-form" noValidate onSubmit={handleSubmit}>
        <p className="shell-own-note">{words('profile.noticesHint')}</p>
        {problem && <Banner tone="bad">{problem.message}</Banner>}
        <FormGrid>
          {shown.map(([name, field]) => {
            const options = optionsOf(field) ?? []
            return (
              <FormField key={name} id={noticeInputId(name)} label={sayLabel(field.label)}>
                {(control) => (
                  <NativeSelect
                    {...control}
                    options={options.map(([value, label]) => ({ value: String(value), label: sayLabel(label) }))}
                    value={String(values[name])}
                    onChange={(next) => set(name, options.find(([value]) => String(value) === next)?.[0] ?? next)}
                  />
                )}
              </FormField>
            )
          })}
        </FormGrid>
        <div>
          <Button kind="primary" type="submit" icon="save" busy={isBusy} disabled={!isDirty}>
            {words('buttons.save')}
          </Button>
        </div>
      </form>
      <LeaveDialog blocker={blocker} />
    </Card>
  )
}
