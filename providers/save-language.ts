import type { Language } from '#schema/words.ts'
import type { LazyHttp } from './client.ts'

type OwnRecord = { version: number; language: Language | null }

async function save(late: LazyHttp, userId: string, language: Language): Promise<void> {
  const path = `user/${encodeURIComponent(userId)}`
  try {
    const http = await late()
    const { data } = await http.get<OwnRecord>(path, { quiet: true })
    if (data.language !== language) await http.put(path, { language, version: data.version }, { quiet: true })
  } catch {
    // The choice is still stored on this device.
  }
}

let last: Promise<void> = Promise.resolve()

/**
 * Fire-and-forget: stores the language in the user's profile, for other devices and e-mails. Saves are serialised: with two at
 * once the network would decide which one wins.
 */
export function saveLanguage(http: LazyHttp, userId: string, language: Language): Promise<void> {
  last = last.then(() => save(http, userId, language))
  return last
}
