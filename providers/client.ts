import type { AxiosInstance } from 'axios'
import type { HttpOptions } from './http.ts'
import { HttpProblem } from './http-problem.ts'
import type { restOver } from './rest-client.ts'

export type Client = { http: AxiosInstance; rest: ReturnType<typeof restOver> }
export type LazyClient = () => Promise<Client>
export type LazyHttp = () => Promise<AxiosInstance>

/**
 * The client, loaded as a separate chunk: a list whose data the document has prefetched does not need it. A failed load is
 * retried by the next call.
 */
export function lazyClient(options: HttpOptions): LazyClient {
  let client: Promise<Client> | undefined
  const load = async () => (await import('./client-code.ts')).createClient(options)
  return () => {
    client ??= load().catch(() => {
      client = undefined
      throw new HttpProblem({ message: options.words('errors.network'), statusCode: 0, code: 'network' })
    })
    return client
  }
}
