import type { Filter, Sort } from '#schema/list-query.ts'

/** `meta.action` of the data provider's `custom`: an action of a definition, and the records that its templates read. */
export type ActionRequest = {
  resource: string
  action: string
  id?: string | undefined
  /** The page's record, the row of a related list, the answer that filled the form, the signed-in user. */
  record?: unknown
  row?: unknown
  from?: unknown
  user?: unknown
}

export type ExportedFile = { name: string; content: Blob }

type Download = {
  signal: AbortSignal
  /** Bytes received so far. */
  onProgress: (bytes: number) => void
}

/** A file of the API, by its path with the query. */
export type FileRequest = Download & { path: string }

/** All pages of a list: its conditions, its order and its columns. */
export type ExportRequest = Download & {
  /** The name of a resource, or the path of a list below a record. */
  list: string
  filters: readonly Filter[]
  sort: readonly Sort[]
  q: string
  columns: readonly string[]
}

/** Both announce their failure. */
export type ExportList = (request: ExportRequest) => Promise<ExportedFile>
export type ExportFile = (request: FileRequest) => Promise<ExportedFile>
