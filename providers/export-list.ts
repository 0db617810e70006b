import type { AxiosInstance } from 'axios'
import { type Filter, type Sort, wireQuery } from '#schema/list-query.ts'
import { type ExportedFile, exportFile } from './export-file.ts'

/** A list as it stands on the screen: its conditions, its order and its columns. */
export type ExportRequest = {
  /** The name of a resource, or the path of a list below a record. */
  list: string
  filters: readonly Filter[]
  sort: readonly Sort[]
  q: string
  columns: readonly string[]
  signal: AbortSignal
  /** Bytes that have come. */
  onProgress: (bytes: number) => void
}

/** Every row of a list as a CSV file. */
export function exportList(http: AxiosInstance, request: ExportRequest): Promise<ExportedFile> {
  const { list, filters, sort, q, columns, ...rest } = request
  const query = wireQuery({ filters, sort, start: 0, end: 1, ...(q ? { q } : {}) })
  // All rows are meant.
  for (const window of ['_start', '_end']) query.delete(window)
  query.set('columns', columns.join(','))
  return exportFile(http, { ...rest, path: `export/${list}?${query}` })
}
