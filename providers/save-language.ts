import type { Language } from '#schema/words.ts'
import type { LateHttp } from './client.ts'

type OwnRecord = { version: number; language: Language | null }

async function save(late: LateHttp, userId: string, language: Language): Promise<void> {
  const path = `user/${encodeURIComponent(userId)}`
  try {
    const http = await late()
    const { data } = await http.get<OwnRecord>(path, { quiet: true })
    if (data.language !== language) await http.put(path, { language, version: data.version }, { quiet: true })
  } catch {
    // The choice stays on this device.
  }
}

let last: Promise<void> = Promise.resolve()

/**
 * Remembers the language in the own profile, for other devices and for letters. Nobody needs to know if it failed.
 * One after the other: two saves at once would leave it to the line which of two choices stays.
 */
export function saveLanguage(http: LateHttp, userId: string, language: Language): Promise<void> {
  last = last.then(() => save(http, userId, language))
  return last
}
