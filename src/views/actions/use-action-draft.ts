import { useMemo } from 'react'
import { useViewer } from '#fields/definitions.tsx'
import type { Fields } from '#schema/field-types.ts'
import { draftKey } from '#views/form/draft/draft-store.ts'
import { keptValues } from '#views/form/draft/kept-values.ts'
import { useDraft } from '#views/form/draft/use-draft.ts'
import { replay } from '#views/form/form-values.ts'
import type { FormState } from '#views/form/use-form-state.ts'
import type { ActionOffer } from './action-offer.ts'

const subjectOf = ({ id, row }: ActionOffer): string | undefined =>
  row?.id === undefined ? id : [id, String(row.id)].filter(Boolean).join('.')

/** Draft of an action's form. A restored draft is merged into the current values. */
export function useActionDraft(offer: ActionOffer, { form, changed, replace }: FormState, fields: Fields) {
  const viewer = useViewer()
  const kept = useMemo(() => keptValues(form, changed, fields), [form, changed, fields])
  const storageKey = draftKey(viewer.id, `${offer.resource.name}.${offer.name}`, subjectOf(offer))
  const draft = useDraft({ storageKey, changed: kept })
  const restore = () => {
    const { offered } = draft
    if (!offered) return
    const typed = Object.entries(offered.values).map(([name, value]) => [
      name,
      replay(form.values[name], offered.base[name], value),
    ])
    replace({ ...form, values: { ...form.values, ...Object.fromEntries(typed) } })
    draft.answer()
  }
  return { draft, restore }
}
