import { dictionary } from '@zxcvbn-ts/language-common'
import { describe, expect, it } from 'vitest'
import { passwordLength } from '#server/account/session/password.ts'
import { isGuessable } from '#server/account/session/password-guess.ts'

describe('a guessable password', () => {
  it('is every common one that is long enough', () => {
    const common = dictionary['passwords-common'].filter((password) => password.length >= passwordLength.min)
    expect(common.length).toBeGreaterThan(1_500)
    expect(common.filter((password) => !isGuessable(password))).toEqual([])
  })

  it.each([
    'qwertyuiop',
    '1qaz2wsx3edc',
    'йцукенгшщз',
    'зщшгнекуцй',
    'фывапролдж',
    'ячсмитьбю1',
    'пароль12345',
    'приветпривет',
    'ghbdtnrfrltkf',
    'P@ssw0rd2024',
    'ESS-Console1',
    'ess console',
    'demo-password',
    'aaaaaaaaaa',
    '1020304050',
  ])('is a word, a walk or a repetition: %s', (password) => {
    expect(isGuessable(password)).toBe(true)
  })

  it.each([
    'verdigris-lamp-77',
    'tiny-otter-waves-42',
    'correct horse battery',
    'жёлтый кит поёт',
    'ёжик в тумане и 😀 ежевика',
  ])('is not one of unrelated words: %s', (password) => {
    expect(isGuessable(password)).toBe(false)
  })

  it('is found in the time of a request, whatever is sent', () => {
    const started = performance.now()
    for (const unit of ['p4$$w0rd', 'aA1!', '4@8({[</369&#!1|0$5+7%2'])
      isGuessable(unit.repeat(16).slice(0, passwordLength.max))
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})
