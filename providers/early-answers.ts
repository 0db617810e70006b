import axios, { type AxiosAdapter, AxiosError, AxiosHeaders, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios'

/** An answer with its text, which is read at once: an answer that nobody reads would keep its connection. */
export type EarlyAnswer = { response: Response; text: string }
/** Calls that the document started before the scripts ran, by URL, with the token that they carry. */
export type EarlyCalls = { token: string; startedAt: number; answers: Record<string, Promise<EarlyAnswer>> }

declare global {
  interface Window {
    earlyCalls?: EarlyCalls
  }
}

/** A person who comes back to a tab in the background wants data of now. */
const freshMs = 10_000

/** The answer to exactly this call with exactly this token, once. */
function takeAnswer(config: InternalAxiosRequestConfig): Promise<EarlyAnswer> | undefined {
  const early = typeof window === 'undefined' ? undefined : window.earlyCalls
  if (!early || config.method !== 'get' || early.token !== config.sentToken) return undefined
  const url = axios.getUri(config)
  const answer = Date.now() - early.startedAt > freshMs ? undefined : early.answers[url]
  delete early.answers[url]
  return answer
}

/** Sends a call, unless the document has sent it already. A call that found no network then is sent again. */
export function adapterWithEarlyAnswers(send: AxiosAdapter): AxiosAdapter {
  return async (config) => {
    const early = await takeAnswer(config)?.catch(() => undefined)
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
