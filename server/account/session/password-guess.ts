import { commonWords, walks } from './password-words.ts'

/** Guesses, as a power of two, below which a password is refused; two common words with a digit are just below. */
const enoughBits = 22

const cost = { word: 8, walk: 5.5, repeat: 4, year: 6, digit: 3.3, letter: 4.7, other: 5, again: 2 } as const
const longestWord = Math.max(...[...commonWords].map((word) => word.length))

/** Letters that are often replaced by digits and signs; 1 and ! replace two of them. */
const disguises = [
  { '0': 'o', '1': 'i', '!': 'i', '3': 'e', '4': 'a', '@': 'a', '5': 's', $: 's', '7': 't' },
  { '0': 'o', '1': 'l', '!': 'l', '3': 'e', '4': 'a', '@': 'a', '5': 's', $: 's', '7': 't' },
].map((letters) => new Map(Object.entries(letters)))

const undisguised = (text: string, letters: ReadonlyMap<string, string>) =>
  [...text].map((letter) => letters.get(letter) ?? letter).join('')

function single(letter: string): number {
  if (/\d/.test(letter)) return cost.digit
  return /\p{L}/u.test(letter) ? cost.letter : cost.other
}

/** Cost of a well-known piece. */
function known(piece: string, forms: readonly string[]): number {
  if (forms.some((form) => commonWords.has(form))) return cost.word
  if (piece.length >= 3 && walks.some((walk) => walk.includes(piece))) return cost.walk
  if (piece.length >= 3 && piece === (piece[0] ?? '').repeat(piece.length)) return cost.repeat
  return /^(?:19|20)\d\d$/.test(piece) ? cost.year : Number.POSITIVE_INFINITY
}

/** The cheapest way to put the text together from known pieces and single letters. */
function bitsOf(text: string): number {
  const forms = [text, ...disguises.map((letters) => undisguised(text, letters))]
  const best = [0]
  for (let end = 1; end <= text.length; end++) {
    let least = (best[end - 1] ?? 0) + single(text[end - 1] ?? '')
    for (let start = Math.max(0, end - Math.max(longestWord, 24)); start < end - 1; start++) {
      const piece = text.slice(start, end)
      least = Math.min(
        least,
        (best[start] ?? 0) +
          known(
            piece,
            forms.map((form) => form.slice(start, end)),
          ),
      )
    }
    best.push(least)
  }
  return best[text.length] ?? 0
}

/** The part that a text repeats to its end: `abab` → `ab`. */
function unitOf(text: string): string | undefined {
  const at = `${text}${text}`.indexOf(text, 1)
  return at > 0 && at < text.length ? text.slice(0, at) : undefined
}

/**
 * True for a password that attackers try first. It scores how passwords are made (common words, keyboard walks, years,
 * repetition, substituted letters) instead of listing leaked ones.
 */
export function isGuessable(password: string): boolean {
  const text = password.trim().toLowerCase().slice(0, 64)
  const forms = [text, text.replace(/[\s_-]+/g, '')].flatMap((form) => [form, unitOf(form)])
  return forms.some((form, index) => form !== undefined && bitsOf(form) + (index % 2) * cost.again < enoughBits)
}
