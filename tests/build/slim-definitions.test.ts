import { describe, expect, it } from 'vitest'
import { cutActions } from '#build/slim-definitions.ts'
import { resources } from '#resources/index.ts'
import { rolesFor } from '#schema/definition.ts'
import { type AnyResource, verbs } from '#schema/resource.ts'

const { early, late } = cutActions(resources)
const actionsOf = (from: typeof resources) =>
  from.flatMap(({ name, actions }) => Object.entries(actions ?? {}).map(([action, facts]) => ({ name, action, facts })))

describe('actions of the built console', () => {
  it('are whole again when their dialog is loaded, but for what only the server needs', () => {
    const completed = actionsOf(early).map(({ name, action, facts }) => ({ ...facts, ...late[name]?.[action] }))
    const defined = actionsOf(resources).map(({ facts: { roles: _, set: __, ...facts } }) => facts)
    expect(completed).toEqual(defined)
  })

  it('tell before that whether they ask first, whether they are dangerous, when they fit, and what they are about', () => {
    const shape = ({
      facts: { label, icon, on, when, through, permit, form, confirm },
    }: ReturnType<typeof actionsOf>[number]) => ({
      label,
      icon,
      on,
      when,
      through,
      permit,
      asks: Boolean(form || confirm),
      isDanger: confirm?.danger,
    })
    expect(actionsOf(early).map(shape)).toEqual(actionsOf(resources).map(shape))
  })

  it('bring no form with the first load', () => {
    expect(actionsOf(early).filter(({ facts }) => Object.keys(facts.form ?? {}).length > 0)).toEqual([])
    const asked = ({ fields }: AnyResource) => Object.entries(fields).filter(([, field]) => !field.readOnly && !field.derived)
    expect(early.map(({ actions: _, fields: __, access: ___, ...rest }) => rest)).toEqual(
      resources.map(({ actions: _, scope: __, fields: ___, access: ____, ...rest }) => rest),
    )
    const pages = (resource: AnyResource) => verbs.map((verb) => rolesFor(resource, verb).length > 0)
    expect(early.map(pages)).toEqual(resources.map(pages))
    expect(early.map(asked)).toEqual(resources.map(asked))
    expect(early.map(({ fields }) => Object.keys(fields))).toEqual(resources.map(({ fields }) => Object.keys(fields)))
  })
})
