/** Made by build/kit-locales.ts out of LANGUAGES. */
declare module 'virtual:kit-locales' {
  export const kitLocales: Readonly<Record<string, () => Promise<import('antd/es/locale').Locale>>>
}
