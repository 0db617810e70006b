import { isObject } from '#schema/is-object.ts'

/** Headers for calls outside of the HTTP client: errors come in the language of the page. */
export const pageLanguage = (): Record<string, string> => {
  const language = typeof document === 'undefined' ? '' : document.documentElement.lang
  return language ? { 'accept-language': language } : {}
}

/** Text and stable code of a refusal of the server. */
export type Refusal = { message: string; code?: string }

/** Refusal of a response whose body is unread; without text when it is not a problem of the server, such as a proxy's page. */
export async function refusalOf(answer: Response): Promise<Refusal> {
  const body: unknown = await answer.json().catch(() => null)
  const { message, code } = isObject(body) ? body : {}
  return { message: typeof message === 'string' ? message : '', ...(typeof code === 'string' ? { code } : {}) }
}
