import type { AxiosInstance } from 'axios'
import type { ExportedFile, FileRequest } from '#schema/wire/calls.ts'

/** Allows for long exports. */
const timeoutMs = 600_000

const nameIn = (disposition: unknown) => /filename="([^"/\\]+)"/.exec(String(disposition))?.[1]

/** Downloads a file of the API; rejects with the problem, which is shown like that of any other call. */
export async function exportFile(http: AxiosInstance, { path, signal, onProgress }: FileRequest): Promise<ExportedFile> {
  const { data, headers } = await http.get<Blob>(path, {
    responseType: 'blob',
    timeout: timeoutMs,
    signal,
    onDownloadProgress: ({ loaded }) => onProgress(loaded),
  })
  return { name: nameIn(headers['content-disposition']) ?? 'export.csv', content: data }
}
