import { createContext, useContext } from 'react'
import { useDefinitions } from '#fields/definitions.tsx'
import { pathOf } from '#schema/definition.ts'

/** The resource of the record or form on screen: the file calls are below its path. */
export const RecordPlace = createContext<string | undefined>(undefined)

/** File calls of a field; undefined outside of a record. */
export function useFileCalls(name: string) {
  const resource = useDefinitions().get(useContext(RecordPlace) ?? '')
  const shown = resource && pathOf(resource, 'show')
  return {
    upload: resource && `files/${resource.name}/${name}`,
    /** `fileId` selects one of several files. */
    download: (recordId: unknown, fileId?: string) =>
      shown && typeof recordId === 'string'
        ? [shown.replace('{id}', encodeURIComponent(recordId)), name, ...(fileId ? [encodeURIComponent(fileId)] : [])].join('/')
        : undefined,
  }
}
