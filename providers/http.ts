import axios, { AxiosError, type AxiosInstance, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios'
import { isObject } from '#schema/is-object.ts'
import { keyHeader } from './call-options.ts'
import { adapterWithEarlyAnswers } from './early/early-adapter.ts'
import { HttpProblem, type LocalCode, problemOfAnswer, type Words } from './http-problem.ts'
import { IdempotencyKeys } from './idempotency-keys.ts'
import { serializeParams } from './serialize-params.ts'
import type { SessionStore } from './session/session-store.ts'

declare module 'axios' {
  interface AxiosRequestConfig {
    /** A public call: sent without a token and without waiting for one; its 401 does not end the session. */
    anonymous?: boolean
    /** Errors are not shown: the caller handles them. */
    quiet?: boolean
    /** A conflict that carries the current record is not shown: the caller merges it. */
    merges?: boolean
    /** The shape without which a successful answer says nothing. */
    shape?: AnswerShape | undefined
    /** Set by the interceptors: the token sent, the send time, and whether this is the retry after a token refresh. */
    sentToken?: string | undefined
    startedAt?: number
    isRepeat?: boolean
  }
}

export type AnswerShape = 'rows' | 'record'

export type HttpOptions = {
  session: SessionStore
  /** Language of responses. */
  language: () => string
  words: Words
  /** Called once per failed call, after the retry; not for quiet or aborted ones. */
  onProblem?: ((problem: HttpProblem) => void) | undefined
  /** Called with the method and path of each call that succeeded, as `HttpProblem.call` names it. */
  onSuccess?: ((call: string) => void) | undefined
  /** Asks for step-up authentication when a call requires it; true = confirmed. */
  confirm?: (() => Promise<boolean>) | undefined
  /** Receives the event id of a response. */
  onEventId?: ((eventId: unknown) => void) | undefined
  baseURL?: string
}

const timeoutMs = 30_000
/** The server closes an upload of 16 MiB at less than 8 KiB a second, after 35 minutes. */
const uploadTimeoutMs = 2_100_000
/** The Date header marks the start of the response: after a long download it is too old for clock correction. */
const freshAnswerMs = 5_000

/**
 * The API client. Rejects with HttpProblem only. Uploads time out after 35 minutes, downloads after 10, other calls after 30 s or
 * their own `timeout`.
 */
export function createHttp(options: HttpOptions): AxiosInstance {
  const { session, language, words, onProblem, onSuccess, confirm, onEventId, baseURL = '/api' } = options
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
    if (content && !config.headers.has(keyHeader)) config.headers.set(keyHeader, keys.take(`${config.url} ${content}`))
    if (!config.anonymous) {
      if (session.getSnapshot().conflict) throw localProblem('session.conflict', config, words)
      const token = await session.liveToken(signalOf(config))
      // Checked again: a conflict may have arisen while waiting for the token.
      if (session.getSnapshot().conflict) throw localProblem('session.conflict', config, words)
      config.sentToken = token
      if (token) config.headers.set('Authorization', `Bearer ${token}`)
    }
    // Without this, axios would send a form content type for a blob.
    if (config.data instanceof Blob) config.headers.setContentType(config.data.type)
    if (hasFile(config.data) && config.timeout === timeoutMs) config.timeout = uploadTimeoutMs
    config.startedAt = Date.now()
    return config
  })

  /** The key stays open after a 5xx: a proxy may have lost the response of a request that succeeded. */
  const noteKey = ({ status, config }: AxiosResponse) => {
    if (status < 500) keys.close(String(config.headers.get(keyHeader)))
  }

  const noteDate = (answer: AxiosResponse) => {
    if (Date.now() - (answer.config.startedAt ?? 0) <= freshAnswerMs) session.noteDate(answer.headers.date)
  }

  /** True when another tab has refreshed the token meanwhile: the call is retried. */
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
      onSuccess?.(callOf(answer.config))
      return answer
    },
    async (error: unknown) => {
      if (error instanceof HttpProblem) throw error
      const { config, response: answer }: Failure = error instanceof AxiosError ? error : {}
      if (!answer || !config) return fail(await lostProblem(error, config, words), config)
      noteDate(answer)
      noteKey(answer)
      const lostToken = answer.status === 401 ? config.sentToken : undefined
      if (lostToken && isOutdated(config)) return http.request({ ...config, isRepeat: true })
      const problem = await problemOf(answer, words)
      if (await isConfirmed(problem)) return http.request(config)
      // Announced before logout removes the token, which distinguishes the first 401 from later ones.
      const isFirst = answer.status !== 401 || isOfSession(session, config)
      if (lostToken) session.logout(lostToken, problem)
      if (!isFirst) throw problem
      return fail(problem, config)
    },
  )
  return http
}

const hasFile = (data: unknown) => data instanceof FormData || data instanceof Blob

/** Files are compared by name, size and modification time; other blobs are not comparable. */
const fileFacts = (value: unknown) =>
  value instanceof File ? [value.name, value.size, value.lastModified] : value instanceof Blob ? undefined : value

/** Content of a call that would create a duplicate when sent twice; undefined for calls without an idempotency key. */
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
  !config?.quiet && problem.code !== 'aborted' && !(config?.merges && problem.current)

/**
 * JSON responses are always objects or arrays; text is a proxy's page or a truncated response. A proxy may return an empty or
 * partial body.
 */
function isReadable({ config, data }: AxiosResponse<unknown>): boolean {
  if (config.responseType !== undefined && config.responseType !== 'json') return true
  if (config.shape === 'rows') return Array.isArray(data)
  if (config.shape) return isObject(data) && Object.keys(data).length > 0
  const isNothing = data === '' || data === null || data === undefined
  return isNothing ? config.method !== 'get' : typeof data === 'object'
}

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
  'file.changed': 'errors.fileChanged',
  unknown: 'errors.unexpected',
}

const callOf = (config: InternalAxiosRequestConfig) =>
  `${(config.method ?? 'get').toUpperCase()} ${(config.url ?? '').split('?')[0]}`

/** The first file of a call that can no longer be read as it was chosen: it was changed, moved or removed. */
async function lostFileOf(data: unknown): Promise<File | undefined> {
  for (const part of data instanceof FormData ? data.values() : [data])
    if (
      part instanceof File &&
      !(await part
        .slice(0, 1)
        .arrayBuffer()
        .catch(() => false))
    )
      return part
  return undefined
}

/** A call without an answer. A browser tells a file that changed on disk and a lost network alike. */
async function lostProblem(error: unknown, config: InternalAxiosRequestConfig | undefined, words: Words): Promise<HttpProblem> {
  const file = await lostFileOf(config?.data)
  return file ? localProblem('file.changed', config, words, { name: file.name }) : localProblem(codeOf(error), config, words)
}

function localProblem(
  code: LocalCode,
  config: InternalAxiosRequestConfig | undefined,
  words: Words,
  values?: Record<string, unknown>,
): HttpProblem {
  return new HttpProblem({
    message: words(texts[code], values),
    statusCode: 0,
    code,
    call: config && callOf(config),
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

/** The problem of a failed download arrives as a blob. */
async function bodyOf(data: unknown): Promise<unknown> {
  if (!(data instanceof Blob)) return data
  try {
    return JSON.parse(await data.text())
  } catch {
    return null
  }
}
