import simpleRest from '@refinedev/simple-rest'
import type { Client } from './client.ts'
import { createHttp, type HttpOptions } from './http.ts'

/** A module of its own, so that axios is in a separate chunk. */
export const createClient = (options: HttpOptions): Client => ({ http: createHttp(options), simpleRest })
