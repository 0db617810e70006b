import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/** Passwords below 10^8 guesses are refused: a score of 3 in zxcvbn. */
const enoughGuessesLog10 = 8

/** Only the start of longer passwords is estimated: the time grows faster than the length. */
const judgedCharacters = 64

/** Missing in the library's dictionary: common Russian words, terms of the trade, and our name. */
const words = `
пароль любовь привет солнце россия москва наташа марина сергей андрей александр дмитрий максим екатерина кристина
parol privet moskva lyubov ess console essconsole energy storage battery inverter admin administrator`

/** Rows of the Russian keyboard, which the library has no adjacency graph for; it checks reversed words itself. */
const rows = ['йцукенгшщзхъ', 'фывапролджэ', 'ячсмитьбю']

const minWalk = 3

/** All sequences along a row. */
function walksAlong(row: string): string[] {
  return Array.from({ length: row.length - minWalk + 1 }, (_, start) =>
    Array.from({ length: row.length - minWalk + 1 - start }, (_, more) => row.slice(start, start + minWalk + more)),
  ).flat()
}

const estimator = new ZxcvbnFactory({
  graphs: adjacencyGraphs,
  dictionary: { ...dictionary, 'words-own': words.split(/\s+/).filter(Boolean), 'walks-ru': rows.flatMap(walksAlong) },
})

/** True for a common password, or one composed of common parts, with or without separators. */
export function isGuessable(password: string): boolean {
  const text = password.trim().slice(0, judgedCharacters)
  const forms = new Set([text, text.replace(/[\s_-]+/g, '')])
  return [...forms].some((form) => estimator.check(form).guessesLog10 < enoughGuessesLog10)
}
