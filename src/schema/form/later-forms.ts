/**
 * The forms of actions in a built console, by number: empty until the code of the first dialog fills them. Where definitions carry their
 * forms themselves, while developing and on the server, there are none.
 */
export const laterForms: Record<string, unknown>[] = []

/** The place of the next form. @public: built definitions call it */
export function nextForm(): Record<string, unknown> {
  const form = {}
  laterForms.push(form)
  return form
}
