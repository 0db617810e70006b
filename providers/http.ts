import axios, { AxiosError, type AxiosInstance, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios'
import { adapterWithEarlyAnswers } from './early/early-adapter.ts'
import { HttpProblem, type LocalCode, problemOfAnswer, type Words } from './http-problem.ts'
import { IdempotencyKeys } from './idempotency-keys.ts'
import { serializeParams } from './serialize-params.ts'
import type { SessionStore } from './session/session-store.ts'

declare module 'axios' {
  interface AxiosRequestConfig {
    /** A public call: sent without the token, at once, and its 401 is no end of the session. */
    anonymous?: boolean
    /** Failures are not announced: the caller shows them or they do not matter. */
    quiet?: boolean
    /** Kept by the interceptors: the token that it carried, when it left, and whether it was repeated after a renewal. */
    sentToken?: string | undefined
    startedAt?: number
    isRepeat?: boolean
  }
}

export type HttpOptions = {
  session: SessionStore
  /** The language that the server shall answer in. */
  language: () => string
  words: Words
  /** Hears of every failed call once, after the repeat, but not of quiet or aborted ones. */
  onProblem?: ((problem: HttpProblem) => void) | undefined
  /** Asks the person to confirm who it is, for a call that was refused for want of that; true = it was done. */
  confirm?: (() => Promise<boolean>) | undefined
  /** Hears of the event id that came with an answer. */
  onEventId?: ((eventId: unknown) => void) | undefined
  baseURL?: string
}

const timeoutMs = 30_000
const uploadTimeoutMs = 600_000
/** The Date header marks the start of the answer: after a long download it is too old to set the clock. */
const freshAnswerMs = 5_000

/** The client of the API. Rejects with an HttpProblem only. Files have 10 minutes, the rest 30 s or its own `timeout`. */
export function createHttp(options: HttpOptions): AxiosInstance {
  const { session, language, words, onProblem, confirm, onEventId, baseURL = '/api' } = options
  const http = axios.create({
    adapter: adapterWithEarlyAnswers(axios.getAdapter(axios.defaults.adapter)),
    baseURL,
    timeout: timeoutMs,
    paramsSerializer: { serialize: serializeParams },
  })

  const keys = new IdempotencyKeys()
  const isConfirmed = async ({ code }: HttpProblem) => code === 'confirmation-needed' && (await confirm?.()) === true

  http.interceptors.request.use(async (config) => {
    config.headers.set('Accept-Language', language())
    const content = keyedContent(config)
    if (content) config.headers.set(keyHeader, keys.take(`${config.url} ${content}`), false)
    if (!config.anonymous) {
      if (session.getSnapshot().conflict) throw localProblem('session.conflict', config, words)
      const token = await session.liveToken(signalOf(config))
      // Asked again: it may have come to a conflict while the request waited for a live token.
      if (session.getSnapshot().conflict) throw localProblem('session.conflict', config, words)
      config.sentToken = token
      if (token) config.headers.set('Authorization', `Bearer ${token}`)
    }
    // A blob knows what it holds; left alone it would be called a form.
    if (config.data instanceof Blob) config.headers.setContentType(config.data.type)
    if ((config.data instanceof FormData || config.data instanceof Blob) && config.timeout === timeoutMs)
      config.timeout = uploadTimeoutMs
    config.startedAt = Date.now()
    return config
  })

  /** A 5xx may come from a proxy that lost the answer, or follow work that was done. */
  const noteKey = ({ status, config }: AxiosResponse) => {
    if (status < 500) keys.close(String(config.headers.get(keyHeader)))
  }

  const noteDate = (answer: AxiosResponse) => {
    if (Date.now() - (answer.config.startedAt ?? 0) <= freshAnswerMs) session.noteDate(answer.headers.date)
  }

  /** True when another tab has renewed the token meanwhile: the call is repeated. */
  const isOutdated = ({ sentToken, isRepeat }: InternalAxiosRequestConfig) => {
    session.sync()
    const current = session.getSnapshot()
    return !isRepeat && current.session !== null && current.session.accessToken !== sentToken
  }

  const fail = (problem: HttpProblem, config: InternalAxiosRequestConfig | undefined): never => {
    if (isAnnounced(problem, config)) onProblem?.(problem)
    throw problem
  }

  http.interceptors.response.use(
    (answer) => {
      noteDate(answer)
      if (!isReadable(answer)) return fail(localProblem('answer.unreadable', answer.config, words), answer.config)
      noteKey(answer)
      onEventId?.(answer.headers['x-event-id'])
      return answer
    },
    async (error: unknown) => {
      if (error instanceof HttpProblem) throw error
      const { config, response: answer }: Failure = error instanceof AxiosError ? error : {}
      if (!answer || !config) return fail(localProblem(codeOf(error), config, words), config)
      noteDate(answer)
      noteKey(answer)
      const lostToken = answer.status === 401 ? config.sentToken : undefined
      if (lostToken && isOutdated(config)) return http.request({ ...config, isRepeat: true })
      const problem = await problemOf(answer, words)
      if (await isConfirmed(problem)) return http.request(config)
      // Announced before the logout removes the token, which distinguishes the first 401 from later ones.
      const isFirst = answer.status !== 401 || isOfSession(session, config)
      if (lostToken) session.logout(lostToken, problem.message)
      if (!isFirst) throw problem
      return fail(problem, config)
    },
  )
  return http
}

const keyHeader = 'Idempotency-Key'

/** A file is the same by its name, size and time of change; other bytes have nothing to compare. */
const fileFacts = (value: unknown) =>
  value instanceof File ? [value.name, value.size, value.lastModified] : value instanceof Blob ? undefined : value

/** Content of a call that may make a second record when it is sent twice; undefined for one without a key. */
function keyedContent({ method, anonymous, data }: InternalAxiosRequestConfig): string | undefined {
  if (method !== 'post' || anonymous) return undefined
  if (data instanceof FormData) return JSON.stringify([...data].map(([name, value]) => [name, fileFacts(value)]))
  const content = fileFacts(data)
  return data instanceof Blob && content === undefined ? undefined : `${JSON.stringify(content)}`
}

type Failure = { config?: InternalAxiosRequestConfig | undefined; response?: AxiosResponse | undefined }

const isOfSession = (session: SessionStore, { sentToken, anonymous }: InternalAxiosRequestConfig) =>
  anonymous || (sentToken !== undefined && session.getSnapshot().session?.accessToken === sentToken)

const isAnnounced = (problem: HttpProblem, config: InternalAxiosRequestConfig | undefined) =>
  !config?.quiet && problem.code !== 'aborted'

/** JSON was asked for and is always an object or a list; a text is a proxy's page or an answer that was cut off. */
const isReadable = ({ config, data }: AxiosResponse<unknown>) =>
  (config.responseType !== undefined && config.responseType !== 'json') || typeof data !== 'string' || data === ''

function signalOf(config: InternalAxiosRequestConfig): AbortSignal | undefined {
  return config.signal instanceof AbortSignal ? config.signal : undefined
}

const codes: Readonly<Record<string, LocalCode>> = {
  ECONNABORTED: 'timeout',
  ETIMEDOUT: 'timeout',
  ERR_CANCELED: 'aborted',
  ERR_NETWORK: 'network',
}

function codeOf(error: unknown): LocalCode {
  if (error instanceof AxiosError) return codes[error.code ?? ''] ?? 'network'
  return error instanceof DOMException && error.name === 'AbortError' ? 'aborted' : 'unknown'
}

const texts: Readonly<Record<LocalCode, string>> = {
  network: 'errors.network',
  timeout: 'errors.timeout',
  aborted: 'errors.aborted',
  'answer.unreadable': 'errors.unreadable',
  'session.conflict': 'session.conflict.refused',
  unknown: 'errors.unexpected',
}

const callOf = (config: InternalAxiosRequestConfig | undefined) =>
  config && `${(config.method ?? 'get').toUpperCase()} ${(config.url ?? '').split('?')[0]}`

function localProblem(code: LocalCode, config: InternalAxiosRequestConfig | undefined, words: Words): HttpProblem {
  return new HttpProblem({
    message: words(texts[code]),
    statusCode: 0,
    code,
    call: callOf(config),
    startedAt: config?.startedAt,
  })
}

async function problemOf(answer: AxiosResponse<unknown>, words: Words): Promise<HttpProblem> {
  const { config, headers, status } = answer
  return problemOfAnswer({
    statusCode: status,
    body: await bodyOf(answer.data),
    header: (name) => headers[name],
    words,
    call: callOf(config),
    startedAt: config.startedAt,
  })
}

/** A failed download carries its problem as a blob. */
async function bodyOf(data: unknown): Promise<unknown> {
  if (!(data instanceof Blob)) return data
  try {
    return JSON.parse(await data.text())
  } catch {
    return null
  }
}
