import type { ConfigProviderProps } from 'antd'
import english from 'antd/es/locale/en_US'
import { useEffect, useState } from 'react'

type AntdLocale = ConfigProviderProps['locale']

/** English is built into antd; any other language comes with its first use. */
const loaders: Record<string, () => Promise<AntdLocale>> = {
  ru: () => import('antd/es/locale/ru_RU').then((module) => module.default),
}

const loaded = new Map<string, AntdLocale>()

/**
 * antd's texts for the language of `locale`; English until they are loaded. Never empty: antd wraps the content in its locale
 * provider, and adding one later would remount everything.
 */
export function useAntdLocale(locale: string): NonNullable<AntdLocale> {
  const language = locale.split('-')[0] ?? locale
  const [, setReady] = useState<string>()
  useEffect(() => {
    const load = loaders[language]
    if (!load || loaded.has(language)) return
    let isCurrent = true
    load().then(
      (words) => {
        loaded.set(language, words)
        if (isCurrent) setReady(language)
      },
      // The words did not arrive: English stays, the control works all the same.
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [language])
  return loaded.get(language) ?? english
}
