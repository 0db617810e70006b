import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/** Decimal order of the guesses below which a password is refused: a score of 3 in zxcvbn's terms. */
const enoughGuessesLog10 = 8

/** Longer passwords are judged by their beginning: the estimate takes time that grows faster than the length. */
const judgedCharacters = 64

/** Missing in the library's list: everyday Russian words, our own trade and name. */
const words = `
пароль любовь привет солнце россия москва наташа марина сергей андрей александр дмитрий максим екатерина кристина
parol privet moskva lyubov ess console essconsole energy storage battery inverter admin administrator`

/** Rows of the Russian keyboard, of which the library has no graph; reversed words it looks up by itself. */
const rows = ['йцукенгшщзхъ', 'фывапролджэ', 'ячсмитьбю']

const minWalk = 3

/** Every walk along a row. */
function walksAlong(row: string): string[] {
  return Array.from({ length: row.length - minWalk + 1 }, (_, start) =>
    Array.from({ length: row.length - minWalk + 1 - start }, (_, more) => row.slice(start, start + minWalk + more)),
  ).flat()
}

const estimator = new ZxcvbnFactory({
  graphs: adjacencyGraphs,
  dictionary: { ...dictionary, 'words-own': words.split(/\s+/).filter(Boolean), 'walks-ru': rows.flatMap(walksAlong) },
})

/** True for a common password, and for one that is made of common parts; with and without what separates them. */
export function isGuessable(password: string): boolean {
  const text = password.trim().slice(0, judgedCharacters)
  const forms = new Set([text, text.replace(/[\s_-]+/g, '')])
  return [...forms].some((form) => estimator.check(form).guessesLog10 < enoughGuessesLog10)
}
