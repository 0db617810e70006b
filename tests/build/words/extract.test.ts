import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cutWords } from '#build/definition-words.ts'
import { extract, textsOfSource } from '#build/words/extract.ts'
import { placeholders, updated } from '#build/words/messages-file.ts'
import { pseudoMessages } from '#build/words/pseudo.ts'
import { addMessages, type Label, say } from '#schema/words.ts'

const root = join(import.meta.dirname, '..', '..', '..')

describe('the texts of a source file', () => {
  it.each([
    ['a label', "const a = ['Code', 'Код']", ['Code']],
    [
      'a label of two lines',
      "const a = [\n  'A “long” text, with marks',\n  'Длинный',\n] as const",
      ['A “long” text, with marks'],
    ],
    ['a label without values in back quotes', 'const a = [`Plain`, `Простой`]', ['Plain']],
    ['arguments of a function', "count('Rows', 'Строки')", ['Rows']],
    ['a label behind another argument', "bad('field', ['Wrong', 'Неверно'])", ['Wrong']],
    ['a list of labels', "const a = [['One', 'Один'], ['Two', 'Два']]", ['One', 'Two']],
    ['a label in an element', "const A = () => <p>{say(['Hello', 'Привет'])}</p>", ['Hello']],
    ['a label that both languages write alike', "const a = ['Wi-Fi', 'Wi-Fi']", ['Wi-Fi']],
    ['a label that they write alike, with a context', "const a = ['Uid||name', 'Uid']", ['Uid||name']],
    ['a label by its fact', "const a = { label: ['MAC address', 'MAC'], summary: ['code', 'name'] } as const", ['MAC address']],
    ['choices by their fact', "const a = { options: { ETH: ['Wire', 'Ethernet'] }, next: ['A', 'B'] }", ['Wire']],
    ['a label by its type', "const a: Label = ['MAC address', 'MAC']", ['MAC address']],
    ['a label that is said', "const a = say(['MAC address', 'MAC'])", ['MAC address']],
    ['a label among others', "const a = { mac: ['MAC address', 'MAC'], code: ['Code', 'Код'] }", ['MAC address', 'Code']],
    ['arguments of a function that makes labels', "row('Rows', 'Строки')\nrow('MAC address', 'MAC')", ['Rows', 'MAC address']],
    ['a unit of signs only', "const a = ['%', 'проц']", []],
  ])('have %s', (_what, source, texts) => {
    expect(textsOfSource('some.tsx', source)).toEqual({ texts, dynamic: [] })
  })

  it('leave out lists that are no labels and comments', () => {
    expect(textsOfSource('some.ts', "// ['Old', 'Старый']\nconst roles = ['admin', 'client']").texts).toEqual([])
  })

  it('leave out two keys beside a label, and a lone placeholder', () => {
    const source = "const a = { label: ['Code', 'Код'], columns: ['code', 'name'] }\nconst b = ['{text}', '{text}']"
    expect(textsOfSource('some.ts', source).texts).toEqual(['Code'])
  })

  it('report a label that is put together in the code by its place', () => {
    const source = `const code = 1\nconst a = [\`Board \${code}\`, \`Плата \${code}\`]`
    expect(textsOfSource('some.ts', source)).toEqual({ texts: [], dynamic: ['some.ts:2'] })
  })
})

describe('the texts of console and server', () => {
  const { texts, dynamic } = extract(root)

  it('have keyed words, definitions, mails, problems and guides', () => {
    expect(texts).toEqual(
      expect.arrayContaining([
        'Sign in',
        'Type {text} to confirm',
        'Control PCB',
        'Russian',
        'This field is required',
        'Your password was changed',
        'Ethernet||name',
        'LFP',
      ]),
    )
    expect(texts.length).toBeGreaterThan(1500)
  })

  it('have a key for each meaning of an English text', () => {
    expect(texts).toEqual(expect.arrayContaining(['Empty', 'Empty||battery', 'Full', 'Full||battery', 'From', 'From||version']))
    const battery: Label = ['Empty||battery', 'Разряжена']
    expect([say(battery, 'en'), say(battery, 'ru')]).toEqual(['Empty', 'Разряжена'])
    addMessages('en-XA', { Empty: 'nothing there', 'Empty||battery': 'flat' })
    expect([say(['Empty', 'Не заполнено'], 'en-XA'), say(battery, 'en-XA')]).toEqual(['nothing there', 'flat'])
    expect(say(['Full||battery', 'Заряжена'], 'en-XA')).toBe('Full')
    expect(cutWords({ label: battery }).words).toMatchObject({
      en: { words: ['Empty||battery'] },
      ru: { words: ['Разряжена'] },
    })
  })

  it('are all seen: no label is put together in the code', () => {
    expect(dynamic).toEqual([])
  })

  it('are ICU messages where they have placeholders', () => {
    expect(texts.filter((text) => text.includes('{') && placeholders(text) === undefined)).toEqual([])
  })
})

describe('a file of messages brought up to date', () => {
  it('keeps translations, adds what is new, and names what is missing, stale and broken', () => {
    const before = { Save: 'Speichern', Gone: 'Weg', 'Page {page}': 'Seite {seite}', 'No rows': 'Keine {count}' }
    expect(updated(['No rows', 'Page {page}', 'Save', 'Send'], before, 'de')).toEqual({
      messages: { 'No rows': 'Keine {count}', 'Page {page}': 'Seite {seite}', Save: 'Speichern', Send: '', Gone: 'Weg' },
      missing: ['Send'],
      stale: ['Gone'],
      broken: ['No rows', 'Page {page}'],
      forms: [],
    })
  })

  it('names the plural forms that the language has and a translation lacks', () => {
    const text = '{count, plural, one {# row} other {# rows}}'
    const formsIn = (code: string, translation: string) => updated([text], { [text]: translation }, code).forms
    expect(formsIn('pl', '{count, plural, one {# wiersz} other {# wiersza}}')).toEqual([`${text} (many, few)`])
    expect(formsIn('pl', '{count, plural, one {# wiersz} few {# wiersze} many {# wierszy} other {# wiersza}}')).toEqual([])
    expect(formsIn('es', '{count, plural, one {# fila} other {# filas}}')).toEqual([])
    expect(formsIn('ja', '{count, plural, other {# 行}}')).toEqual([])
  })

  it('is the same after a second run', () => {
    const first = updated(['Save', 'Send'], { Save: 'Speichern' }, 'de')
    expect(updated(['Save', 'Send'], first.messages, 'de')).toEqual(first)
  })
})

describe('the pseudo-locale', () => {
  it('is accented, 40 % longer and keeps placeholders', () => {
    const texts = ['Save', 'Look[: now {pcb.clock}]', '{count, plural, one {# row} other {# rows}} of {total}']
    const messages = pseudoMessages(texts)
    expect(messages.Save).toBe('(Šåṽé~~)')
    for (const text of texts) {
      expect(placeholders(messages[text] ?? '')).toBe(placeholders(text))
      expect(messages[text]?.length).toBeGreaterThanOrEqual((placeholders(text) ? 1.3 : 1.4) * text.length)
    }
  })
})
