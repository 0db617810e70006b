import { isObject } from '#schema/is-object.ts'

/** Goes on to the provider's sign-out page, unless somebody has signed in here meanwhile. */
export function leaveProvider(answer: unknown, isOver: () => boolean): void {
  const url = isObject(answer) && answer.providerUrl
  if (typeof url === 'string' && /^https?:/.test(url) && isOver()) location.assign(url)
}
