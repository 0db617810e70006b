// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest'
import { type I18nOptions, initI18n, languageKey } from '#providers/i18n.ts'
import { memoryStorage } from './browser.ts'

const trees = {
  en: { greet: 'Hello, {name}', rows: '{count, plural, one {# row} other {# rows}}' },
  ru: { greet: 'Привет, {name}', rows: '{count, plural, one {# строка} few {# строки} many {# строк} other {# строки}}' },
}
const start = (options: I18nOptions = {}) =>
  initI18n({ load: async (language) => trees[language], storage: memoryStorage(), preferred: ['en-US'], ...options })

describe('the language', () => {
  it.each([
    [['ru-RU', 'en'], 'ru'],
    [['ru'], 'ru'],
    [['de', 'ru'], 'en'],
    [['run'], 'en'],
    [[], 'en'],
  ] as const)('of a browser that prefers %j is %s', async (preferred, language) => {
    const i18n = await start({ preferred })
    expect(i18n.language()).toBe(language)
    expect(i18n.isChosen()).toBe(false)
    expect(document.documentElement.lang).toBe(language)
  })

  it('is remembered on the device and wins over the browser', async () => {
    const storage = memoryStorage()
    const first = await start({ storage })
    await first.changeLanguage('ru')
    expect(storage.getItem(languageKey)).toBe('ru')
    const second = await start({ storage })
    expect([second.language(), second.isChosen()]).toEqual(['ru', true])
  })

  it('is switched without a reload, its words loaded once and only then', async () => {
    const load = vi.fn(async (language: 'en' | 'ru') => trees[language])
    const i18n = await start({ load })
    expect(i18n.words('greet', { name: 'Ada' })).toBe('Hello, Ada')
    expect(load).toHaveBeenCalledTimes(1)
    await i18n.provider.changeLocale('ru')
    expect(i18n.words('greet', { name: 'Ada' })).toBe('Привет, Ada')
    expect(i18n.provider.getLocale()).toBe('ru')
    expect(document.documentElement.lang).toBe('ru')
    await i18n.changeLanguage('en')
    expect(load).toHaveBeenCalledTimes(2)
  })

  it('waits for what else depends on it', async () => {
    const order: string[] = []
    const onLanguage = async (language: string) => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      order.push(language)
    }
    const i18n = await start({ onLanguage })
    await i18n.changeLanguage('ru')
    expect(order).toEqual(['en', 'ru'])
  })

  it('is that of the last click, whichever file comes first', async () => {
    const i18n = await start({
      load: async (language) => {
        if (language === 'ru') await new Promise((resolve) => setTimeout(resolve, 20))
        return trees[language]
      },
    })
    await Promise.all([i18n.changeLanguage('ru'), i18n.changeLanguage('en')])
    expect([i18n.language(), i18n.words('greet', { name: 'x' })]).toEqual(['en', 'Hello, x'])
  })

  it('stays when the words do not come', async () => {
    const load = async (language: 'en' | 'ru') => (language === 'ru' ? Promise.reject(new Error('offline')) : trees.en)
    const i18n = await start({ load })
    await expect(i18n.changeLanguage('ru')).rejects.toThrow('offline')
    expect([i18n.language(), i18n.isChosen()]).toEqual(['en', false])
  })

  it('works without a storage', async () => {
    const forbidden = () => {
      throw new DOMException('denied', 'SecurityError')
    }
    const i18n = await start({ storage: { getItem: forbidden, setItem: forbidden } })
    await i18n.changeLanguage('ru')
    expect(i18n.language()).toBe('ru')
  })
})

describe('words', () => {
  it('follow the plurals of the language', async () => {
    const { words, changeLanguage } = await start()
    expect([1, 2].map((count) => words('rows', { count }))).toEqual(['1 row', '2 rows'])
    await changeLanguage('ru')
    expect([1, 2, 5, 21].map((count) => words('rows', { count }))).toEqual(['1 строка', '2 строки', '5 строк', '21 строка'])
  })

  it('of Refine fall back to its default', async () => {
    const { provider } = await start()
    expect(provider.translate('no.such', 'Default: one')).toBe('Default: one')
    expect(provider.translate('no.such', { name: 'x' }, 'Default {{name}}')).toBe('Default x')
    expect(provider.translate('greet', { name: 'Ada' }, 'Default')).toBe('Hello, Ada')
  })
})
