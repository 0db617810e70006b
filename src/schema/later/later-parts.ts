/**
 * Parts of the definitions that a built console loads later: empty slots by number, filled by their chunk. In development and
 * on the server there are none, since definitions are complete.
 */
type Part = Record<string, unknown> | unknown[]

/** Facts of action dialogs: forms, checks, guards, revealed secrets. */
export const laterForms: Part[] = []
/** The figures of the dashboard. */
export const laterFigures: Part[] = []
/** Facts that lists, the inbox and the sentence below a heading read, and the values that journals have beside those of records. */
export const laterLists: Part[] = []

const nextOf = (parts: Part[], part: Part): Part => {
  parts.push(part)
  return part
}

/** The place of the next one. @public: built definitions call it */
export const nextForm = (part: Part = {}): Part => nextOf(laterForms, part)
/** The place of the next ones. @public: built definitions call it */
export const nextFigures = (part: Part = {}): Part => nextOf(laterFigures, part)
/** The place of the next one. @public: built definitions call it */
export const nextListFacts = (part: Part = {}): Part => nextOf(laterLists, part)
