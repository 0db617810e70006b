import type { Plugin } from 'vite'
import { LANGUAGES } from '#schema/words.ts'

const name = 'virtual:kit-locales'

/** antd and dayjs have a locale of each language that they know; dayjs keeps what is imported. */
const loaders = LANGUAGES.map(
  ({ intl, antd, dayjs }) =>
    `${JSON.stringify(intl)}: () => Promise.all([import('antd/es/locale/${antd}'), import('dayjs/locale/${dayjs}')]).then(([{ default: words }]) => words)`,
)

/** The kit's locales by the `intl` of the rows in LANGUAGES, each a file that is fetched when its language is on screen. */
export function kitLocales(): Plugin {
  return {
    name: 'kit-locales',
    config: () => ({
      optimizeDeps: { include: LANGUAGES.flatMap(({ antd, dayjs }) => [`antd/es/locale/${antd}`, `dayjs/locale/${dayjs}`]) },
    }),
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) => (id === `\0${name}` ? `export const kitLocales = {\n${loaders.join(',\n')}\n}\n` : undefined),
  }
}
