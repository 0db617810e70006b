import type { Filter, Sort } from '#schema/list-query.ts'

/** `meta.action` of the data provider's `custom`: an action, and the records that its templates read. */
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

/** A file of the API; the path may include a query. */
export type FileRequest = Download & { path: string }

/** All pages of a list, with its filters, order and columns. */
export type ExportRequest = Download & {
  /** Name of a resource, or path of a list below a record. */
  list: string
  filters: readonly Filter[]
  sort: readonly Sort[]
  q: string
  columns: readonly string[]
}

/** Both show their errors themselves. */
export type ExportList = (request: ExportRequest) => Promise<ExportedFile>
export type ExportFile = (request: FileRequest) => Promise<ExportedFile>
