import simpleRest from '@refinedev/simple-rest'
import type { Client } from './client.ts'
import { createHttp, type HttpOptions } from './http.ts'

/** Apart from `lateClient`, so that it comes with axios in a chunk of its own. */
export const createClient = (options: HttpOptions): Client => ({ http: createHttp(options), simpleRest })
