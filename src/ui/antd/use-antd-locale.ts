import { kitLocales } from 'virtual:kit-locales'
import type { Locale } from 'antd/es/locale'
import english from 'antd/es/locale/en_US'
import { useEffect, useState } from 'react'

const loaded = new Map<string, Locale>()

/**
 * antd's texts for the BCP 47 `locale`; English until they are loaded. Never undefined: antd wraps the content in its locale
 * provider, and adding one later would remount everything.
 */
export function useAntdLocale(locale: string): Locale {
  const [, setReady] = useState<string>()
  useEffect(() => {
    const load = kitLocales[locale]
    if (!load || loaded.has(locale)) return
    let isCurrent = true
    load().then(
      (words) => {
        loaded.set(locale, words)
        if (isCurrent) setReady(locale)
      },
      // Loading failed: the texts stay English and the control still works.
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [locale])
  return loaded.get(locale) ?? english
}
