import type { AxiosInstance } from 'axios'
import type { HttpOptions } from './http.ts'
import { HttpProblem } from './http-problem.ts'

/** The HTTP client of the session, and REST over it. */
export type Client = { http: AxiosInstance; simpleRest: typeof import('@refinedev/simple-rest').default }
export type LateClient = () => Promise<Client>
export type LateHttp = () => Promise<AxiosInstance>

/**
 * The client, whose code is a chunk of its own: a list does without it when the document has asked for its data. Code that did not come
 * is asked for by the next call again.
 */
export function lateClient(options: HttpOptions): LateClient {
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
