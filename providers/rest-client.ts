import simpleRest from '@refinedev/simple-rest'
import type { AxiosInstance, AxiosRequestConfig } from 'axios'
import type { CallOptions } from './call-options.ts'
import type { AnswerShape } from './http.ts'

/** Allows for large files on slow connections. */
const downloadTimeoutMs = 600_000

function requestConfig({ signal, onProgress, quiet, merges, file }: CallOptions): AxiosRequestConfig {
  return {
    ...(signal ? { signal } : {}),
    ...(quiet ? { quiet } : {}),
    ...(merges ? { merges } : {}),
    ...(file ? { responseType: 'blob', timeout: downloadTimeoutMs } : {}),
    ...(onProgress ? { onUploadProgress: ({ loaded, total }) => onProgress(total ? Math.min(1, loaded / total) : 0) } : {}),
  }
}

/** simple-rest passes on neither abort signals nor upload progress nor our options: this client adds them. */
function clientWith(http: AxiosInstance, config: AxiosRequestConfig): AxiosInstance {
  return Object.assign(http.bind(null), http, {
    get: (url: string, own: object) => http.get(url, { ...own, ...config }),
    post: (url: string, body: unknown, own: object) => http.post(url, body, { ...own, ...config }),
    put: (url: string, body: unknown, own: object) => http.put(url, body, { ...own, ...config }),
    patch: (url: string, body: unknown, own: object) => http.patch(url, body, { ...own, ...config }),
    delete: (url: string, own: object) => http.delete(url, { ...own, ...config }),
  })
}

/** The methods of simple-rest over this client, each with the shape of its answer: an empty answer to a write saves nothing. */
export function restOver(http: AxiosInstance) {
  return (apiUrl: string, options: CallOptions): ReturnType<typeof simpleRest> => {
    const answering = (shape?: AnswerShape) =>
      simpleRest(apiUrl, clientWith(http, { ...requestConfig(options), ...(shape ? { shape } : {}) }))
    const [rows, record] = [answering('rows'), answering('record')]
    return { ...answering(), getList: rows.getList, getOne: record.getOne, create: record.create, update: record.update }
  }
}
