import type { Label } from '#schema/words.ts'

/** The word of a boolean in files: exports write it, imports read it. */
export const yesNo = (value: boolean): Label => (value ? ['Yes', 'Да'] : ['No', 'Нет'])
