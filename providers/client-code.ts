import type { Client } from './client.ts'
import { createHttp, type HttpOptions } from './http.ts'
import { restOver } from './rest-client.ts'

/** A module of its own, so that axios is in a separate chunk. */
export function createClient(options: HttpOptions): Client {
  const http = createHttp(options)
  return { http, rest: restOver(http) }
}
