import { choiceLabels } from '#schema/facts/choice-labels.ts'
import type { Field } from '#schema/field-types.ts'

/** A choice whose label is the one that another choice had. */
type Moved = { stood: string; stands: string }

/**
 * Former choices whose label now belongs to another choice: their rows would change meaning. A new wording moves nothing, and
 * `labelsWere` says that the labels were wrong.
 */
export function movedLabels(before: Field, now: Field): ReadonlyMap<string, Moved> {
  const [had, has] = [choiceLabels(before), choiceLabels(now)]
  const { choicesWere = {} } = 'choicesWere' in now ? now : {}
  const { labelsWere = {} } = 'labelsWere' in now ? now : {}
  const moved = new Map<string, Moved>()
  for (const [key, stands] of has) {
    const former = choicesWere[key] ?? key
    const stood = had.get(former)
    if (stood === undefined || stood === stands || [labelsWere[key]].flat().includes(stood)) continue
    if ([...had].some(([other, label]) => other !== former && label === stands)) moved.set(former, { stood, stands })
  }
  return moved
}

/** `1 "One", 2 "Two"`: former and present labels of the moved choices. */
export const movedTexts = (moved: ReadonlyMap<string, Moved>) => ({
  stored: [...moved].map(([key, { stood }]) => `${key} "${stood}"`).join(', '),
  defined: [...moved].map(([key, { stands }]) => `${key} "${stands}"`).join(', '),
})

/** True for a value, or words of which one is such a choice. */
export const isMoved = (value: unknown, moved: ReadonlyMap<string, Moved>): boolean =>
  [value].flat().some((one) => moved.has(String(one)))
