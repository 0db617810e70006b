import type { AnyResource } from '#schema/resource.ts'
import { createRecord } from './create-record.ts'
import { deleteRecord } from './delete-record.ts'
import type { Work } from './resource-rules.ts'
import { lockedRow, updateRecord } from './update-record.ts'
import type { Engine } from './work.ts'

function definitionIn({ catalog }: Engine, name: string): AnyResource {
  const resource = catalog.definitions.get(name)
  if (!resource) throw new Error(`there is no resource "${name}": ${[...catalog.definitions.keys()].join(', ')}`)
  return resource
}

/** Work with engine calls for rules and handlers, in the same transaction. */
export function workWithRecords(engine: Engine, base: Omit<Work, 'records'>): Work {
  const at = (name: string, id: string) => {
    const resource = definitionIn(engine, name)
    return { resource, resources: [resource], id }
  }
  const work: Work = {
    ...base,
    records: {
      create: (name, values) =>
        createRecord(engine, { resources: [definitionIn(engine, name)], body: values, byServer: true }, work),
      update: async (name, id, change) => {
        const call = at(name, id)
        const { version } = await lockedRow(engine, call, work)
        return updateRecord(engine, { ...call, body: { version, ...change }, byServer: true }, work)
      },
      remove: (name, id, reason) => deleteRecord(engine, { ...at(name, id), reason }, work),
      as: (role) => workWithRecords(engine, { ...base, caller: { ...base.caller, role } }).records,
    },
  }
  return work
}
