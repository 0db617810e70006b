import { createContext, useContext } from 'react'
import { useDefinitions } from '#fields/definitions.tsx'
import { pathOf } from '#schema/definition.ts'

/** The resource whose record or form is drawn: files have calls of their own below it. */
export const RecordPlace = createContext<string | undefined>(undefined)

/** The calls of the files of a field; undefined outside of a record. */
export function useFileCalls(name: string) {
  const resource = useDefinitions().get(useContext(RecordPlace) ?? '')
  const shown = resource && pathOf(resource, 'show')
  return {
    upload: resource && `files/${resource.name}/${name}`,
    /** `fileId` of one among several. */
    download: (recordId: unknown, fileId?: string) =>
      shown && typeof recordId === 'string'
        ? [shown.replace('{id}', encodeURIComponent(recordId)), name, ...(fileId ? [encodeURIComponent(fileId)] : [])].join('/')
        : undefined,
  }
}
