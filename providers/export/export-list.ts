import type { AxiosInstance } from 'axios'
import { wireQuery } from '#schema/list-query.ts'
import type { ExportedFile, ExportRequest } from '#schema/wire/calls.ts'
import { exportFile } from './export-file.ts'

/** Downloads all rows of a list as CSV. */
export function exportList(http: AxiosInstance, request: ExportRequest): Promise<ExportedFile> {
  const { list, filters, sort, q, columns, ...rest } = request
  const query = wireQuery({ filters, sort, start: 0, end: 1, ...(q ? { q } : {}) })
  // An export has no page window.
  for (const window of ['_start', '_end']) query.delete(window)
  query.set('columns', columns.join(','))
  return exportFile(http, { ...rest, path: `export/${list}${list.includes('?') ? '&' : '?'}${query}` })
}
