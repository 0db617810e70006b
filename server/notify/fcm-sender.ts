import { z } from 'zod'
import { say } from '#schema/words.ts'
import { assertionLifeS, type FcmAccount, signAssertion } from './fcm-account.ts'
import type { Note, PushResult, PushSender, PushTarget } from './push-sender.ts'

export type FcmOptions = {
  account: FcmAccount
  /** URL of the console, opened by a click on a push. */
  publicUrl: string
  /** Origin of the messaging service. */
  baseUrl?: string
  onError?: (error: unknown) => void
}

const tokenSchema = z.object({ access_token: z.string().min(1), expires_in: z.number().default(assertionLifeS) })
const failureSchema = z.object({ error: z.object({ details: z.array(z.looseObject({ errorCode: z.string().optional() })) }) })
/** Lead time of the token renewal before its expiry, in milliseconds. */
const marginMs = 300_000

/** Firebase's error code; undefined when the response has none. */
function codeOf(answer: unknown): string | undefined {
  const { data } = failureSchema.safeParse(answer)
  return data?.error.details.find(({ errorCode }) => errorCode)?.errorCode
}

function resultOf(status: number, answer: unknown): PushResult {
  if (status < 300) return 'sent'
  // A 404 without the code may be a wrong project: no reason to delete devices.
  if (status === 410 || codeOf(answer) === 'UNREGISTERED') return 'gone'
  return status === 401 || status === 408 || status === 429 || status >= 500 ? 'retry' : 'rejected'
}

/** Sends pushes over Firebase Cloud Messaging, HTTP v1. */
export class FcmSender implements PushSender {
  readonly kind = 'firebase'
  readonly #options: Required<FcmOptions>
  #token: { value: string; goodUntil: number } | undefined
  #fetching: Promise<string> | undefined

  constructor(options: FcmOptions) {
    this.#options = { baseUrl: 'https://fcm.googleapis.com', onError: () => {}, ...options }
  }

  async #fetchToken(signal: AbortSignal): Promise<string> {
    const { account } = this.#options
    const body = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: signAssertion(account, Date.now()),
    })
    const answer = await fetch(account.token_uri, { method: 'POST', body, signal, redirect: 'error' })
    if (!answer.ok) throw new Error(`The push service does not accept the service account: ${answer.status}`)
    const { access_token, expires_in } = tokenSchema.parse(await answer.json())
    this.#token = { value: access_token, goodUntil: Date.now() + expires_in * 1000 - marginMs }
    return access_token
  }

  /** Single-flight: all waiting sends share one token request. */
  #accessToken(signal: AbortSignal): Promise<string> {
    if (this.#token && this.#token.goodUntil > Date.now()) return Promise.resolve(this.#token.value)
    this.#fetching ??= this.#fetchToken(signal).finally(() => {
      this.#fetching = undefined
    })
    return this.#fetching
  }

  #messageFor({ pushId, language }: PushTarget, { id, title, body, tone = 'info', link }: Note) {
    const { publicUrl } = this.#options
    const page = link && publicUrl.startsWith('https:') ? { webpush: { fcmOptions: { link: `${publicUrl}${link}` } } } : {}
    const texts = { title: say(title, language), body: say(body, language) }
    return { message: { token: pushId, notification: texts, data: { id, ...texts, tone, link: link ?? '' }, ...page } }
  }

  async send(target: PushTarget, note: Note, signal: AbortSignal): Promise<PushResult> {
    const { baseUrl, account, onError } = this.#options
    try {
      const answer = await fetch(`${baseUrl}/v1/projects/${encodeURIComponent(account.project_id)}/messages:send`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await this.#accessToken(signal)}`, 'content-type': 'application/json' },
        body: JSON.stringify(this.#messageFor(target, note)),
        signal,
        redirect: 'error',
      })
      if (answer.status === 401) this.#token = undefined
      const said: unknown = await answer.json().catch(() => undefined)
      const result = resultOf(answer.status, said)
      if (result !== 'sent') onError(new Error(`The push service answered ${answer.status} ${codeOf(said) ?? ''}`.trim()))
      return result
    } catch (error) {
      onError(error)
      return 'retry'
    }
  }
}
