import { describe, expect, it } from 'vitest'
import { pathOf, rolesFor } from '#schema/definition.ts'
import { isSentAlone } from '#schema/field-types.ts'
import { type Verb, verbs } from '#schema/resource.ts'
import { type Role, roles } from '#schema/roles.ts'
import type { Json } from './proven.ts'
import { at, mayDo, resource, type Subject } from './subject.ts'

/** True where the record is one of another definition of the table, too, that grants the same call: a client is a user. */
const isGrantedElsewhere = ({ proven }: Subject, verb: Verb, { role, record }: { role: Role; record: Json }) =>
  [...proven.definitions.values()].some(
    (other) =>
      other !== resource &&
      pathOf(other, verb) === pathOf(resource, verb) &&
      rolesFor(other, verb).includes(role) &&
      Object.entries(other.subset?.where ?? {}).every(([name, value]) => record[name] === value),
  )

function call({ server }: Subject, verb: Verb, { id, role }: { id: unknown; role: Role }): Promise<{ status: number }> {
  if (verb === 'list' || verb === 'show') return server.get(at(id, verb), role)
  if (verb === 'create') return server.post(at('', verb), {}, role)
  return verb === 'edit' ? server.put(at(id, verb), {}, role) : server.delete(at(id, verb), undefined, role)
}

const needsFile = Object.values(resource.fields).some(isSentAlone)
const granted = [200, 204, 400, 404, 409, ...(needsFile ? [415] : [])]
const denied = [403, 404, 405]

/** Every verb by every role: refused unless it is granted. */
export function verbCells(subject: () => Subject): void {
  describe('lets nobody do what is not granted', () => {
    it.each(roles)('as %s', async (role) => {
      const record: Json = subject().creator ? await subject().made() : { id: 'none' }
      for (const verb of verbs.filter((one) => pathOf(resource, one) !== undefined)) {
        const { status } = await call(subject(), verb, { id: record.id, role })
        const isOpen = mayDo(verb).includes(role)
        if (isOpen || !isGrantedElsewhere(subject(), verb, { role, record }))
          expect(isOpen ? granted : denied, `${verb}: ${status}`).toContain(status)
      }
    })
  })
}
