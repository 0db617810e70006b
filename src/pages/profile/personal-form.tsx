import type { BaseRecord } from '@refinedev/core'
import { type FormEvent, useMemo, useState } from 'react'
import { zonesWith } from '#fields/text/zone-choices.ts'
import { useAccount } from '#shell/account.ts'
import { useWords } from '#shell/use-words.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { Button } from '#ui/input/button.tsx'
import { FormField } from '#ui/input/form-field.tsx'
import { FormGrid } from '#ui/input/form-grid.tsx'
import { NativeSelect } from '#ui/input/native-select.tsx'
import { Card } from '#ui/layout/card.tsx'
import { DraftOffer } from '#views/form/draft/draft-offer.tsx'
import { draftKey } from '#views/form/draft/draft-store.ts'
import { LeaveDialog } from '#views/form/draft/leave-dialog.tsx'
import { useDraft } from '#views/form/draft/use-draft.ts'
import { ProfileField, profileInputId } from './profile-field.tsx'
import { useSaveOwn } from './use-save-own.ts'
import { useUnsaved } from './use-unsaved.ts'

const names = ['firstName', 'lastName', 'phone', 'timezone'] as const
type Name = (typeof names)[number]
type Values = Record<Name, string>

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
const valuesOf = (record: BaseRecord): Values => ({
  firstName: textOf(record.firstName),
  lastName: textOf(record.lastName),
  phone: textOf(record.phone),
  timezone: textOf(record.timezone),
})

/** Edited values over the stored ones: a refetch changes unedited values only. */
function usePersonalForm(record: BaseRecord) {
  const { save, problem, isBusy } = useSaveOwn(record)
  const [typed, setTyped] = useState<Partial<Values>>({})
  const { amend } = useAccount()
  const stored = valuesOf(record)
  const values = { ...stored, ...typed }
  const changed = names.filter((name) => typed[name] !== undefined && typed[name] !== stored[name])
  const kept = useMemo(() => (Object.keys(typed).length > 0 ? { values: typed, base: {}, version: 1 } : undefined), [typed])
  const draft = useDraft({ storageKey: draftKey(String(record.id), 'profile', undefined), changed: kept })
  const restore = () => {
    const found = draft.offered?.values ?? {}
    setTyped(Object.fromEntries(names.filter((name) => name in found).map((name) => [name, textOf(found[name])])))
    draft.answer()
  }
  const saveTyped = async () => {
    const sent = Object.fromEntries(changed.map((name) => [name, typed[name]?.trim() || null]))
    if (!(await save(sent))) return
    amend({ firstName: values.firstName.trim(), lastName: values.lastName.trim(), timezone: values.timezone || null })
    setTyped({})
  }
  return {
    values,
    set: (name: Name, value: string) => setTyped((known) => ({ ...known, [name]: value })),
    isDirty: changed.length > 0,
    draft,
    restore,
    isBusy,
    problem,
    save: saveTyped,
  }
}

/** Names, phone and time zone of the signed-in person. */
export function PersonalForm({ record }: { record: BaseRecord }) {
  const words = useWords()
  const { values, set, isDirty, isBusy, problem, save, draft, restore } = usePersonalForm(record)
  const blocker = useUnsaved(isDirty)
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (isDirty && !isBusy) void save()
  }
  const zone = textOf(record.timezone)
  const zones = useMemo(() => zonesWith(zone).map((name) => ({ value: name, label: name })), [zone])
  const errors = problem?.errors ?? {}
  const field = (name: Exclude<Name, 'timezone'>) => ({
    name,
    label: words(`profile.${name}`),
    value: values[name],
    error: errors[name],
    onChange: (value: string) => set(name, value),
  })
  return (
    <Card title={words('profile.personal')}>
      <form className="shell-form" noValidate onSubmit={handleSubmit}>
        <DraftOffer draft={draft} onRestore={restore} />
        {problem && Object.keys(errors).length === 0 && <Banner tone="bad">{problem.message}</Banner>}
        <FormGrid>
          <ProfileField {...field('firstName')} required />
          <ProfileField {...field('lastName')} required />
          <ProfileField {...field('phone')} kind="tel" hint={words('public.phoneHint')} />
          <FormField id={profileInputId('timezone')} label={words('profile.timezone')} error={errors.timezone}>
            {(control) => (
              <NativeSelect
                {...control}
                placeholder={words('profile.browserZone')}
                options={zones}
                value={values.timezone}
                onChange={(value) => set('timezone', value)}
              />
            )}
          </FormField>
        </FormGrid>
        <div>
          <Button kind="primary" type="submit" icon="save" busy={isBusy} disabled={!isDirty}>
            {words('buttons.save')}
          </Button>
        </div>
      </form>
      <LeaveDialog blocker={blocker} onLeave={draft.leave} />
    </Card>
  )
}
