import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { composed, filled, LANGUAGES, type Label, offeredLanguage, say } from '#schema/words.ts'
import { loadMessages } from '#server/app/load-messages.ts'
import { languageOf } from '#server/base/problems.ts'

const save: Label = ['Save', 'Сохранить']
const rows: Label = ['{count, plural, one {# row} other {# rows}}', '{count, plural, one {# строка} other {# строк}}']
const asked = (language: string) => languageOf({ headers: { 'accept-language': language } })

describe('the messages of a further language', () => {
  let root = ''
  const folder = (name: string) => pathToFileURL(join(root, name, '/'))

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'ess-messages-'))
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  it('are none without their file: the texts are English, and the language is not offered', async () => {
    await loadMessages([folder('.')])
    expect(say(save, 'en-XA')).toBe('Save')
    expect(offeredLanguage('en-XA')).toBe('en')
    expect(asked('en-XA, ru;q=0.5')).toBe('en')
    expect(composed((language) => say(save, language))).toHaveLength(2)
  })

  it('are those of the first folder that has the file', async () => {
    await writeFile(join(root, 'en-XA.json'), JSON.stringify({ Save: 'Šåṽé', 'Not in the sources': 'ignored' }))
    await loadMessages([folder('nowhere'), folder('.')])
    expect(say(save, 'en-XA')).toBe('Šåṽé')
    expect(say(save, 'ru')).toBe('Сохранить')
    expect(asked('ru;q=0.5, en-xa')).toBe('en-XA')
  })

  it('take part in texts that are put together, and leave a text without a translation English', async () => {
    await writeFile(
      join(root, 'en-XA.json'),
      JSON.stringify({ Save: '', [rows[0]]: '{count, plural, one {# ŕöŵ} other {# ŕöŵš}}' }),
    )
    await loadMessages([folder('.')])
    expect(say(save, 'en-XA')).toBe('Save')
    const byLanguage = filled(rows, { count: 2 })
    const texts = LANGUAGES.map(({ code }, place) => [code, byLanguage[place]])
    expect(Object.fromEntries(texts)).toMatchObject({ en: '2 rows', ru: '2 строк', 'en-XA': '2 ŕöŵš' })
  })

  it('stop the start when their file is damaged', async () => {
    await writeFile(join(root, 'en-XA.json'), '{ "Save": ')
    await expect(loadMessages([folder('.')])).rejects.toThrow(/en-XA.json is not valid JSON/)
  })
})
