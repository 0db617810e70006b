import axios, { type AxiosAdapter, AxiosError, AxiosHeaders, type AxiosResponse } from 'axios'
import { takeAnswer } from './early-answers.ts'

/** axios adapter that uses the document's prefetched response. A prefetch that failed is sent again. */
export function adapterWithEarlyAnswers(send: AxiosAdapter): AxiosAdapter {
  return async (config) => {
    const isEarly = config.method === 'get'
    const early = isEarly ? await takeAnswer(axios.getUri(config), config.sentToken)?.catch(() => undefined) : undefined
    if (!early) return await send(config)
    const { response, text: data } = early
    const headers = new AxiosHeaders(Object.fromEntries(response.headers))
    // Stale for clock correction: the request left before the scripts ran.
    headers.delete('date')
    const { status, statusText } = response
    const answer: AxiosResponse = { data, status, statusText, headers, config }
    if (config.validateStatus?.(status) ?? true) return answer
    throw new AxiosError(`Request failed with status code ${status}`, AxiosError.ERR_BAD_REQUEST, config, undefined, answer)
  }
}
