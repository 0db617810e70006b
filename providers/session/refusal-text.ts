import { isObject } from '#schema/is-object.ts'

/** Headers for calls outside of the HTTP client: errors come in the language of the page. */
export const pageLanguage = (): Record<string, string> => {
  const language = typeof document === 'undefined' ? '' : document.documentElement.lang
  return language ? { 'accept-language': language } : {}
}

/** Error text of a response whose body is unread; '' when it is not a problem of the server, such as a proxy's page. */
export async function refusalText(answer: Response): Promise<string> {
  const body: unknown = await answer.json().catch(() => null)
  return isObject(body) && typeof body.message === 'string' ? body.message : ''
}
