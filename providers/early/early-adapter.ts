import axios, { type AxiosAdapter, AxiosError, AxiosHeaders, type AxiosResponse } from 'axios'
import { takeAnswer } from './early-answers.ts'

/** Sends a call, unless the document has sent it already. A call that found no network then is sent again. */
export function adapterWithEarlyAnswers(send: AxiosAdapter): AxiosAdapter {
  return async (config) => {
    const isEarly = config.method === 'get'
    const early = isEarly ? await takeAnswer(axios.getUri(config), config.sentToken)?.catch(() => undefined) : undefined
    if (!early) return await send(config)
    const { response, text: data } = early
    const headers = new AxiosHeaders(Object.fromEntries(response.headers))
    // Too old to set the clock by: the call left before the scripts ran.
    headers.delete('date')
    const { status, statusText } = response
    const answer: AxiosResponse = { data, status, statusText, headers, config }
    if (config.validateStatus?.(status) ?? true) return answer
    throw new AxiosError(`Request failed with status code ${status}`, AxiosError.ERR_BAD_REQUEST, config, undefined, answer)
  }
}
