import { isObject } from '#schema/is-object.ts'

/** Headers of calls beside the http client: refusals come in the language of the page. */
export const pageLanguage = (): Record<string, string> => {
  const language = typeof document === 'undefined' ? '' : document.documentElement.lang
  return language ? { 'accept-language': language } : {}
}

/** Text of a refused call whose body is unread; '' where it is no problem of the server, such as a proxy's page. */
export async function refusalText(answer: Response): Promise<string> {
  const body: unknown = await answer.json().catch(() => null)
  return isObject(body) && typeof body.message === 'string' ? body.message : ''
}
