import { cellPlace } from '#resources/fleet/cell-place.ts'
import { isWarningCode, warningCodes } from '#resources/fleet/warnings/warning-codes.ts'
import { measuredText } from '#schema/format/measured-text.ts'
import { wordedText } from '#schema/format/worded-text.ts'
import { composed, type Label, type Language } from '#schema/words.ts'

/** Facts of a warning in a notice to staff. */
export type Shown = {
  code: string
  value: number | null
  unit: string | null
  subject: string | null
  ess: string | null
  board: string | null
}

export const staffTitle = (code: string): Label => (isWarningCode(code) ? warningCodes[code] : [code, code])

export const staffBody = ({ ess, board, subject, value, unit }: Shown): Label =>
  composed((language: Language) => {
    const place = subject && wordedText(cellPlace, subject, language)
    return [ess, board, place, measuredText(value, unit, language)].filter(Boolean).join(' · ')
  })
