import simpleRest from '@refinedev/simple-rest'
import type { AxiosInstance, AxiosRequestConfig, AxiosResponse } from 'axios'
import type { ListQuery } from '#schema/list-query.ts'
import { type CallOptions, keyHeader } from './call-options.ts'
import { totalHead, totalOf } from './wire-list.ts'

/** Allows for large files on slow connections. */
const downloadTimeoutMs = 600_000

function requestConfig({ onProgress, file, onceKey, ...passed }: CallOptions): AxiosRequestConfig {
  return {
    ...passed,
    ...(file ? { responseType: 'blob', timeout: downloadTimeoutMs } : {}),
    ...(onceKey ? { headers: { [keyHeader]: onceKey() } } : {}),
    ...(onProgress ? { onUploadProgress: ({ loaded, total }) => onProgress(total ? Math.min(1, loaded / total) : 0) } : {}),
  }
}

/**
 * simple-rest passes on neither abort signals nor upload progress nor our options: this client adds them to the last argument. And it
 * reads the total of a list in a header, which gets there what is known of a total that was not told.
 */
const clientWith = (http: AxiosInstance, config: AxiosRequestConfig, list?: ListQuery): AxiosInstance =>
  new Proxy(http, {
    get:
      (_, method) =>
      async (...given: unknown[]) => {
        const own = Object.assign({}, given.at(-1), config)
        const answer: AxiosResponse = await Reflect.apply(Reflect.get(http, method), http, [...given.slice(0, -1), own])
        if (list) answer.headers[totalHead] = totalOf(list, answer.data, answer.headers[totalHead])
        return answer
      },
  })

/** The methods of simple-rest over this client. */
export const restOver =
  (http: AxiosInstance) =>
  (apiUrl: string, options: CallOptions, list?: ListQuery): ReturnType<typeof simpleRest> =>
    simpleRest(apiUrl, clientWith(http, requestConfig(options), list))
