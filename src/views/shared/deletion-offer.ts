import '#schema/later/action-forms.ts'
import { filled, type Label, type Language } from '#schema/words.ts'
import type { ActionOffer } from '#views/actions/action-offer.ts'
import { shownTitle } from './shown-title.ts'

export const deletionWords = {
  deleted: ['Deleted: {title}', 'Удалено: {title}'],
  title: ['Delete {title}?', 'Удалить {title}?'],
  body: ['The record is removed for good.', 'Запись будет удалена безвозвратно.'],
} as const satisfies Record<string, Label>

/** The texts of a deletion come with the dialog. */
export function deletionOffer(offer: ActionOffer, language: Language): ActionOffer {
  const { resource, record, id, action } = offer
  const title = shownTitle(resource, record, language) ?? id ?? ''
  const confirm = { title: filled(deletionWords.title, { title }), body: deletionWords.body, danger: true } as const
  return { ...offer, action: { ...action, confirm: { ...confirm, ...resource.deletion } } }
}
