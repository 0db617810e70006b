import { request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { withTimeLimit } from '#server/base/time-limit.ts'
import { AddressGuard, AddressRefused } from './allowed-address.ts'

export type Failure = 'STATUS' | 'REDIRECT' | 'GONE' | 'TIMEOUT' | 'UNREACHABLE' | 'ADDRESS' | 'SECRET'
/** Result of an attempt. Without `failure` the receiver accepted the message. */
export type Attempt = { statusCode?: number; response?: string; failure?: Failure; failureText?: string }

export type Post = {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  networks: readonly string[]
  timeoutMs: number
  /** Aborts on shutdown. */
  signal: AbortSignal
}

/** Limit of the stored response, which is only for diagnosis. */
const mostBytes = 1024
const mostWords = 300

/** Storable text without control characters. */
const readable = (bytes: Buffer) => bytes.toString('utf8').replace(/[^\P{Cc}\n\t]/gu, '')

function failureOf(status: number): Pick<Attempt, 'failure'> {
  if (status >= 200 && status < 300) return {}
  if (status === 410) return { failure: 'GONE' }
  return { failure: status >= 300 && status < 400 ? 'REDIRECT' : 'STATUS' }
}

const isTimeout = (error: unknown) => error instanceof Error && error.name === 'TimeoutError'

/** The message of a connection error; with several addresses Node wraps one error each. */
function wordsOf(error: unknown): string {
  const [first = error] = error instanceof AggregateError ? error.errors : []
  const text = first instanceof Error ? [Reflect.get(first, 'code'), first.message].filter(Boolean).join(': ') : String(first)
  return text.slice(0, mostWords)
}

function attemptOf(error: unknown, signal: AbortSignal): Attempt {
  if (signal.aborted && isTimeout(signal.reason)) return { failure: 'TIMEOUT' }
  if (error instanceof AddressRefused) return { failure: 'ADDRESS', failureText: error.message.slice(0, mostWords) }
  return { failure: 'UNREACHABLE', failureText: wordsOf(error) }
}

/** One request on its own connection, closed after the response's first kilobyte. */
function call({ url, headers, body, networks }: Post, signal: AbortSignal): Promise<Attempt> {
  const address = new URL(url)
  const isPlain = address.protocol === 'http:'
  const guard = new AddressGuard({ networks, isPlain })
  if (guard.isRefusedLiteral(address.hostname)) return Promise.reject(new AddressRefused(address.hostname))
  const send = isPlain ? requestPlain : requestTls
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers, signal, agent: false, lookup: guard.lookup } as const
    const request = send(address, options, (answer) => {
      const chunks: Buffer[] = []
      let size = 0
      const end = () => {
        const { statusCode = 0 } = answer
        answer.destroy()
        resolve({ statusCode, response: readable(Buffer.concat(chunks).subarray(0, mostBytes)), ...failureOf(statusCode) })
      }
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        size += chunk.length
        if (size >= mostBytes) end()
      })
      answer.on('end', end)
      answer.on('error', reject)
    })
    request.on('error', reject)
    request.end(body)
  })
}

/** Posts a message once: follows no redirect, reads a kilobyte of the answer, and never throws. */
export const postMessage = (post: Post): Promise<Attempt> =>
  withTimeLimit(post, (signal) => call(post, signal).catch((error: unknown) => attemptOf(error, signal)))
