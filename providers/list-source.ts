import type { Definitions } from '#schema/definition.ts'
import { isReference } from '#schema/facts/is-reference.ts'
import type { Fields } from '#schema/field-types.ts'

function optionsOf(fields: Fields): string[] {
  return Object.values(fields).flatMap((field) => {
    if (field.type === 'group' || field.type === 'list') return optionsOf(field.fields)
    return isReference(field) && field.options ? [field.options] : []
  })
}

/** All list paths in the definitions: related tabs, rows that something ends, and reference options in forms and actions. */
export function listTemplates(definitions: Definitions): string[] {
  const templates = [...definitions.values()].flatMap((resource) => [
    ...Object.values(resource.ends ?? {}).flatMap((ends) => ends?.from ?? []),
    ...Object.values(resource.tabs ?? {}).flatMap((tab) => ('resource' in tab && tab.from ? [tab.from] : [])),
    ...optionsOf(resource.fields),
    ...Object.values(resource.actions ?? {}).flatMap(({ form = {}, ends }) => [
      ...optionsOf(form),
      ...(ends?.from ? [ends.from] : []),
    ]),
  ])
  return [...new Set(templates)]
}

const escaped = (text: string) => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
const patternOf = (template: string) =>
  new RegExp(
    `^${template
      .split(/\{\w+\}/)
      .map(escaped)
      .join('(?!\\.{1,2}(?:[/?]|$))[^/?#]+')}$`,
  )

/**
 * Tests whether a path is a list named by a definition, with its placeholders filled. The paths are read on each call, because
 * forms of actions load later.
 */
export function listSources(definitions: Definitions): (path: string) => boolean {
  return (path) => listTemplates(definitions).some((template) => patternOf(template).test(path))
}
